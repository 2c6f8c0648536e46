import type { Model, PageFact } from '../../../events/app.ts'
import type { InstalledView } from '../../../events/subjects/installed.ts'

/** @returns all that a page shows, as one fact: its lane of the log can be read from there on */
export function restatement(model: Model, life: number): Extract<PageFact, { type: 'tab.restated' }> {
  const { tab, screen, toast, installed } = model
  const { width, theme, language, otherBuild = false } = tab
  const data = { width, theme, language, life, otherBuild, screen, ...wallets(installed), ...(toast ? { toast } : {}) }
  return { type: 'tab.restated', data }
}

/** The fact is older than identities, which stand beside the wallets in it. */
function wallets(all: InstalledView) {
  const installed = all.map(({ identity: _, ...wallet }) => wallet)
  const identities = all.flatMap(({ walletKey, identity }) => (identity === undefined ? [] : [{ walletKey, identity }]))
  return identities.length > 0 ? { installed, identities } : { installed }
}
