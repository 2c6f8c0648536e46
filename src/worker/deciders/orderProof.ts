/**
 * The proof that an order did not land and can no longer land. It takes, of every endpoint: a finalised height past the last one at
 * which the bytes are valid, and an empty answer by a node that has seen that height's slot; and that no less time has passed
 * than so many blocks need.
 */
import type { Order } from '../../events/subjects/order.ts'
import type { Ctx, InputData } from '../context.ts'
import { scratch } from './orderAsk.ts'

/** 150 blocks take this long at least, ms. */
const blockhashMs = 60_000

/** Time counts from now on: after a build, and where the clock cannot be relied on before it. */
export function countFromNow(ctx: Ctx, orderId: string): void {
  scratch(ctx, orderId).since = ctx.at
}

/** @returns whether the endpoints may be asked for their proofs: enough time has passed since the bytes' blockhash was read */
export function isDue(ctx: Ctx, orderId: string): boolean {
  const memory = scratch(ctx, orderId)
  // A life before this one may have gone by another clock
  memory.since ??= ctx.at
  return ctx.at - memory.since >= blockhashMs
}

/** @returns how many endpoints agree that the order is gone; 0 while one does not */
export function agreeing(ctx: Ctx, order: Order, { proofs = [] }: InputData<'chain.status'>): number {
  const { built, orderId, signedRef } = order
  if (!built || !isDue(ctx, orderId)) return 0
  // The status of bytes sent from here is exact. Of others the list under the reference must have been looked through
  const isExact = signedRef !== undefined
  const agree = proofs.every(
    ({ height, heightSlot, answerSlot, unseen, whole }) =>
      height > built.validUntilHeight &&
      heightSlot >= built.slot &&
      answerSlot >= heightSlot &&
      unseen &&
      (whole || isExact),
  )
  return agree ? proofs.length : 0
}
