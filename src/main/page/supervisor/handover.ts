import type { Handover } from '../../../runtime/wire.ts'
import type { NoticeTexts } from '../../../ui/texts/notices/en.ts'

/** @returns the notice for the person who asked the tab of another build for the lead, when it refuses */
export function refusedHandover(t: NoticeTexts, answer: Handover): string | undefined {
  if (answer === 'taken') return undefined
  return answer === 'busy' ? t.otherTabBusy : t.otherTabSilent
}
