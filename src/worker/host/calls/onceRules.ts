/** How a command or an answer that was taken before is told. */
import type { Failure } from '../../../runtime/failure.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { InputRecord } from '../../../runtime/log/record.ts'
import type { PageAnswer, Wire } from '../../../events/wire.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'

/** @returns whether an input is this answer of a page; the core's own failure of an effect that it gave up is none */
export function isAnswer(answer: PageAnswer, { type, data }: Pick<InputRecord, 'type' | 'data'>): boolean {
  if (!type.startsWith('wallet.')) return false
  if (type !== 'wallet.failed') return true
  return answer.type === 'wallet.failed' && (data.failure as Failure).message === answer.failure.message
}

/** @returns the fault of a request that is published before its commit: a wallet may have been asked */
export function unlogged({ type, data }: Wire['command']): Fault | undefined {
  if (type !== 'request.send' || !safeToRetry.has(data.method)) return undefined
  return new Fault('unknown', 'a request expected to be in the log, its core was lost and may have published it')
}
