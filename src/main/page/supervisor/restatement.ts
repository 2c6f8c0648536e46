import type { Model, PageFact } from '../../../events/app.ts'
import type { InstalledView } from '../../../events/subjects/wallet/installed.ts'

/** @returns a fact with everything that the page shows, from which its later page facts can be read */
export function restatement(model: Model, life: number): Extract<PageFact, { type: 'tab.restated' }> {
  const { tab, screen, toast, installed } = model
  const { width, theme, language, otherBuild = false, features, account } = tab
  const shown = {
    ...wallets(installed),
    ...(toast ? { toast } : {}),
    ...(features && { features }),
    ...(account && { account }),
  }
  const data = { width, theme, language, life, otherBuild, screen, ...shown }
  return { type: 'tab.restated', data }
}

/** Identities are a field of their own, as the fact is older than they are. */
function wallets(all: InstalledView) {
  const installed = all.map(({ identity: _, ...wallet }) => wallet)
  const identities = all.flatMap(({ walletKey, identity }) => (identity === undefined ? [] : [{ walletKey, identity }]))
  return identities.length > 0 ? { installed, identities } : { installed }
}
