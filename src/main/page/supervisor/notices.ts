/** Toasts about dropped inputs, late answers, failed calls and lost commands, and the console's lines about the project. */
import type { PageFact } from '../../../events/app.ts'
import { shownScreen } from '../../../events/subjects/page/screenFold.ts'
import type { Attached, Wire } from '../../../events/wire.ts'
import type { PageNotices } from '../../../runtime/page/supervisor.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Store } from '../../../ui/store.ts'
import { languageOf, textsIn } from '../../../ui/texts/language.tsx'
import { noticesArea } from '../../../ui/texts/notices/en.ts'
import { droppedWords } from './dropped.ts'
import { refusedHandover } from './handover.ts'
import { lateWords } from './lateWords.ts'

/**
 * Shows a toast for each input that facts say was dropped, also while the page was not attached, for each late answer, each command
 * that no core accepted, a handover that was refused, and where a fact has one.
 */
export function createNotices(
  store: Pick<Store, 'model'>,
  now: () => number,
  dispatch: (fact: PageFact) => void,
): PageNotices<Wire['command']> {
  /** dropped inputs that this page has counted; undefined before the first attachment */
  let dropped: number | undefined

  const texts = () => textsIn(noticesArea, languageOf(store.model().tab.language))

  /** Shows a toast. @param toastId a toast with the same id replaces it */
  function tell(toastId: string, message: string): void {
    dispatch({ type: 'toast.shown', data: { toastId, variant: 'error', message, autoClose: true } })
  }

  function tellDropped(input: string, life: number, seq: number): void {
    const words = droppedWords(texts(), input)
    if (words !== undefined) tell(`dropped.${life}.${seq}`, words)
    if (input === 'connection.connectInstalled' && store.model().connection.attempt.phase === 'none') leaveWallet()
  }

  /** Leaves the screen that waits for the wallet's window, which may never open. */
  function leaveWallet(walletKey?: string): void {
    const shown = shownScreen(store.model())
    if (shown?.name === 'ConnectingInstalled' && (walletKey ?? shown.walletKey) === shown.walletKey)
      dispatch({ type: 'screen.back', data: {} })
  }

  /** @returns the words for a failed call of a service; undefined where its call has none, or the model no longer has it */
  function failedCall(callId: string): string | undefined {
    const { ask } = Object.values(store.model().service).find(entry => entry.callId === callId) ?? {}
    return ask && own<string>(texts().calls, ask.call)
  }

  return {
    folded(batch, life) {
      for (const { type, data, seq } of batch) {
        const late = type === 'request.late' ? lateWords(texts(), store.model(), String(data.requestId)) : undefined
        if (late !== undefined) tell(`late.${life}.${seq}`, late)
        if (type.startsWith('service.') && typeof data.toast === 'string')
          tell(`call.${life}.${seq}`, failedCall(String(data.callId)) ?? data.toast)
        if (type === 'project.refused') console.error(`${data.code}: ${data.title}. ${data.detail ?? ''}`)
        if (type === 'project.resolved' && data.warning !== undefined) console.warn(data.warning)
        if (type !== 'core.faulted' && type !== 'core.inputSetAside') continue
        dropped = (dropped ?? 0) + 1
        tellDropped(String(data.input), life, seq)
      }
    },
    attached({ life, seq, model }: Attached) {
      const { count, input } = model.core.dropped ?? { count: 0, input: '' }
      const isNews = dropped !== undefined && count > dropped
      dropped = count
      if (isNews) tellDropped(input, life, seq)
    },
    undelivered(command, ref) {
      // Its core may have left for the other log already
      if (command.type !== 'network.switch') tell(ref, texts().notDelivered)
      if (command.type === 'connection.connectInstalled') leaveWallet(command.data.walletKey)
    },
    handover(answer) {
      const refused = refusedHandover(texts(), answer)
      if (refused !== undefined) tell(`handover.${now()}`, refused)
    },
  }
}
