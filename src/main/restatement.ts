import type { Model, PageFact } from '../events/app.ts'

/** @returns all that a page shows, as one fact: its lane of the log can be read from there on */
export function restatement(model: Model, life: number): Extract<PageFact, { type: 'tab.restated' }> {
  const { tab, screen, toast, installed } = model
  const { width, theme, language, otherBuild = false } = tab
  const data = { width, theme, language, life, otherBuild, screen, installed, ...(toast ? { toast } : {}) }
  return { type: 'tab.restated', data }
}
