/** Recognises commands and answers that an earlier core may have taken. */
import type { Failure } from '../../../runtime/failure.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { InputRecord } from '../../../runtime/log/record.ts'
import type { Wire } from '../../../events/wire.ts'
import { ownEnds } from '../../core/promptEnds.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'

/** @returns whether an input is a page's answer to an effect. A page gives one; the core's own end of an effect is none */
export function isAnswer({ type, data }: Pick<InputRecord, 'type' | 'data'>): boolean {
  if (!type.startsWith('wallet.')) return false
  return type !== 'wallet.failed' || !ownEnds.has((data.failure as Failure).code)
}

/** @returns the fault of a request that is published before its commit: a wallet may have been asked */
export function unlogged({ type, data }: Wire['command']): Fault | undefined {
  if (type !== 'request.send' || !safeToRetry.has(data.method)) return undefined
  return new Fault('unknown', 'a request expected to be in the log, its core was lost and may have published it')
}
