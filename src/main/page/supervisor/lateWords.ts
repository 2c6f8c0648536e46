import type { CoreModel } from '../../../events/app.ts'
import { idIn } from '../../../events/values/reference.ts'

/**
 * @param requestId of a request that a wallet answered after it had ended
 * @returns the notice for the person; undefined for a host's request, whose provider emits `late_answer`
 */
export function lateWords({ request }: Pick<CoreModel, 'request'>, requestId: string): string | undefined {
  const late = request[requestId]
  if (!late || idIn('order', late.purpose) === undefined) return undefined
  if (late.method === 'solana_signAndSendTransaction')
    return 'Your wallet answered late. The chain is searched for anything it sent.'
  return 'Your wallet answered too late. That answer is not used.'
}
