/** Folds of the page's own facts. */
import { foldOf } from '../runtime/log/subjectOf.ts'
import type { PageModel } from './app.ts'
import { foldInstalled } from './subjects/wallet/installedFold.ts'
import { foldScreen } from './subjects/page/screenFold.ts'
import { foldTab } from './subjects/page/tabFold.ts'
import { foldToast } from './subjects/page/toastFold.ts'

// `foldOf` picks the fold by the type's prefix, so each gets facts of its own subject
const pageFolds: { [subject: string]: (model: PageModel, fact: any) => void } = {
  tab: foldTab,
  screen: foldScreen,
  toast: foldToast,
  installed: foldInstalled,
}

/** Folds one page fact into the model, in mutating style: an immer draft or a plain object. Unknown types change nothing. */
export function foldPageFact(model: PageModel, fact: { type: string; at: number; data: unknown }): void {
  foldOf(pageFolds, fact.type)?.(model, fact)
}
