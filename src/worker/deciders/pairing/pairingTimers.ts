/** The timers of a code: when it is renewed and when it ends. */
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import type { Ctx } from '../../core/context.ts'

/** How long one code is shown, ms: four minutes but for the margin in which a wallet could not answer it in time any more. */
export const shownMs = 240_000 - 10_000

export function watchPairing(
  ctx: Ctx,
  { pairingTopic, renewAt, expiresAt }: Pick<Pairing, 'pairingTopic' | 'renewAt' | 'expiresAt'>,
): void {
  ctx.effect('timer.set', { timerId: `renew:${pairingTopic}`, at: renewAt })
  ctx.effect('timer.set', { timerId: `pairing:${pairingTopic}`, at: expiresAt })
}

/** Nothing more is expected of the code: its timers are not to be held until they would fire. */
export function unwatchPairing(ctx: Ctx, pairingTopic: string): void {
  ctx.effect('timer.clear', { timerId: `renew:${pairingTopic}` })
  ctx.effect('timer.clear', { timerId: `pairing:${pairingTopic}` })
}
