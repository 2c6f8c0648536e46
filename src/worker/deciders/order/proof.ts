/**
 * The proof that an order did not land and can no longer land. It needs the time that a blockhash's blocks take, by this
 * device's clock and by the monotonic one, and from every endpoint:
 *
 * 1. a finalised height past the last one at which the bytes are valid, as given with the blockhash; or one that has grown by
 *    more than any blockhash lives, in case the given one was too high;
 * 2. an empty answer of a node that has seen that height's slot;
 * 3. an expired blockhash, from a node that has seen that slot too; requested once all else holds.
 *
 * A wallet that sends by itself may have put a newer blockhash in. Its time begins with its answer, and the height must have grown
 * since then by more than any blockhash lives.
 *
 * Endpoints that do not answer delay the end for some tries. Then the others suffice, and the record names the silent ones.
 * An endpoint that lied neither proves nor disproves: the others must agree, and the lie is recorded.
 */
import {
  type AskedOrder,
  type BuiltOrder,
  isReachable,
  orderSignatureOf,
  outlivingBlocks,
  signedRefOf,
} from '../../../events/subjects/order/order.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { scratch } from './ask.ts'

/** Shortest time of 150 blocks, ms. */
const blockhashMs = 60_000

/** Looks in which all answering endpoints agree, before silent ones are ignored. */
export const triesForSilent = 30

/** The bytes were built now: from here on, time bounds the number of new blocks. */
export function countFromBuild(ctx: Ctx, orderId: string): void {
  countFromNow(ctx, orderId)
  scratch(ctx, orderId).builtAt = ctx.at
}

/** @returns whether the chain can have reached this finalised height, by the time since the build if this life knows it */
export function isPossible(ctx: Ctx, { validUntilHeight }: BuiltOrder, said: InputData<'chain.status'>): boolean {
  const { builtAt } = scratch(ctx, said.orderId)
  return builtAt === undefined || isOfEarlierBuild(said) || isReachable(validUntilHeight, builtAt, said.height, ctx.at)
}

/** Restarts the time: after a build, and when the clock before is unreliable. */
export function countFromNow(ctx: Ctx, orderId: string): void {
  const memory = scratch(ctx, orderId)
  memory.since = ctx.at
  delete memory.builtAt
}

/** The wallet has sent, with a blockhash that may be newer than the built one. */
export function countFromSent(ctx: Ctx, orderId: string): void {
  const memory = scratch(ctx, orderId)
  memory.since = ctx.at
  delete memory.sentHeight
}

/** @returns the finalised height that an order's proof needs, if its wallet chose the blockhash */
function heightSinceSent(ctx: Ctx, order: AskedOrder, said: InputData<'chain.status'>): number | undefined {
  if (order.ask.means === 'sign' || orderSignatureOf(order) === undefined || isOfEarlierBuild(said)) return undefined
  const memory = scratch(ctx, order.orderId)
  // The least, so that a height that was told too high keeps no order from its end
  memory.sentHeight = Math.min(memory.sentHeight ?? said.height, said.height)
  return memory.sentHeight + outlivingBlocks
}

/** @returns whether to ask the endpoints for proofs: enough time has passed since the blockhash was read */
export function isDue(ctx: Ctx, orderId: string): boolean {
  const memory = scratch(ctx, orderId)
  // An earlier life may have used another clock
  memory.since ??= ctx.at
  return ctx.at - memory.since >= blockhashMs
}

/**
 * @returns the number of endpoints that agree that the order is gone, 0 while one does not; `lacks` when they agree in all but
 *   the blockhash, which some have not reported
 */
export function agreement(
  ctx: Ctx,
  order: AskedOrder,
  said: InputData<'chain.status'>,
): { providers: number; lacks?: 'blockhash' } {
  const { proofs = [], blockhashes = [], silent = [], outlived = [], knownMs = blockhashMs } = said
  const memory = scratch(ctx, order.orderId)
  const tries = memory.silentTries ?? 0
  delete memory.silentTries
  const isTime = isDue(ctx, order.orderId) && knownMs >= blockhashMs
  const least = heightSinceSent(ctx, order, said)
  const isLong = least === undefined || proofs.every(({ height }) => height > least)
  const isAgreed = isTime && isLong && proofs.every((proof, at) => showsNothing(order, proof, outlived[at] === true))
  if (!isAgreed || proofs.length === 0) return { providers: 0 }
  if (isOfEarlierBuild(said)) return { providers: proofs.length }
  if (blockhashes.includes('valid')) return { providers: 0, lacks: 'blockhash' }
  if (silent.length === 0)
    return blockhashes.length === proofs.length ? { providers: proofs.length } : { providers: 0, lacks: 'blockhash' }
  if (blockhashes.length === 0) return { providers: 0, lacks: 'blockhash' }
  if (tries >= triesForSilent) return { providers: blockhashes.length }
  memory.silentTries = tries + 1
  return { providers: 0 }
}

/** @returns whether the answering endpoint is past the order's blockhash, by its height or by its growth */
export function isPastEnd(built: BuiltOrder, { height, outlived }: InputData<'chain.status'>): boolean {
  return isPast(built, height, outlived?.includes(true) === true)
}

function isPast(built: BuiltOrder, height: number, outlived: boolean): boolean {
  return outlived || height > built.validUntilHeight
}

/** An earlier build accepted any height and no blockhash: its logs must replay by its rules. */
function isOfEarlierBuild({ heightSlot }: InputData<'chain.status'>): boolean {
  return heightSlot === undefined
}

type Proof = NonNullable<InputData<'chain.status'>['proofs']>[number]

function showsNothing(order: AskedOrder, proof: Proof, outlived: boolean): boolean {
  const { built } = order
  const { height, heightSlot, answerSlot, unseen, whole } = proof
  // The status of bytes sent from here is exact; otherwise the list under the reference must be complete
  const isExact = signedRefOf(order) !== undefined
  return (
    isPast(built, height, outlived) &&
    heightSlot >= built.slot &&
    answerSlot >= heightSlot &&
    unseen &&
    (whole || isExact)
  )
}
