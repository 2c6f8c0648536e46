import type { CoreModel } from '../../../events/app.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { NoticeTexts } from '../../../ui/texts/notices/en.ts'

/**
 * @param requestId of a request that a wallet answered after it had ended
 * @returns the notice for the person; undefined for a host's request, whose provider emits `late_answer`
 */
export function lateWords(
  t: NoticeTexts,
  { request }: Pick<CoreModel, 'request'>,
  requestId: string,
): string | undefined {
  const late = request[requestId]
  if (!late || idIn('order', late.purpose) === undefined) return undefined
  return late.method === 'solana_signAndSendTransaction' ? t.lateSent : t.lateUnused
}
