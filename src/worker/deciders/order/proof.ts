/**
 * The proof that an order did not land and can no longer land. It takes that no less time has passed than so many blocks need, by
 * this device's clock and by one that nobody sets, and of every endpoint:
 *
 * 1. a finalised height past the last one at which the bytes are valid, which the node that gave the blockhash told; or one that has
 *    grown by more than any blockhash lives: that node may have told too much;
 * 2. an empty answer by a node that has seen that height's slot;
 * 3. the word that the blockhash is expired, by a node that has seen it, too: that is asked when all else holds.
 *
 * Endpoints that do not answer hold an end back for some tries. Then those that do are believed, and it is on record who did not.
 * An endpoint that lied proves nothing and disproves nothing: the others must agree, and it is on record that one lied.
 */
import { blockhashBlocks, type Order } from '../../../events/subjects/order.ts'
import { grows } from '../../../events/sale/slots.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { scratch } from './ask.ts'

/** 150 blocks take this long at least, ms. */
const blockhashMs = 60_000

/** So many looks in which every endpoint that answers agrees wait for those that do not. */
export const triesForSilent = 30

/** The bytes were built now: how many blocks can have come since is told by the time. */
export function countFromBuild(ctx: Ctx, orderId: string): void {
  countFromNow(ctx, orderId)
  scratch(ctx, orderId).builtAt = ctx.at
}

/** @returns whether the chain can have this finalised height, as far as this life knows the time since the build */
export function isPossible(ctx: Ctx, { orderId, built }: Order, said: InputData<'chain.status'>): boolean {
  const { builtAt } = scratch(ctx, orderId)
  if (!built || builtAt === undefined || isOfEarlierBuild(said)) return true
  const { validUntilHeight } = built
  // The finalised height is behind the one that the blockhash was read at, by more than nodes differ
  const then = { slot: validUntilHeight - blockhashBlocks, readAt: builtAt }
  // What is past its end is all the same
  return grows(then, { slot: Math.min(said.height, validUntilHeight), readAt: ctx.at })
}

/** Time counts from now on: after a build, and where the clock cannot be relied on before it. */
export function countFromNow(ctx: Ctx, orderId: string): void {
  const memory = scratch(ctx, orderId)
  memory.since = ctx.at
  delete memory.builtAt
}

/** @returns whether the endpoints may be asked for their proofs: enough time has passed since the bytes' blockhash was read */
export function isDue(ctx: Ctx, orderId: string): boolean {
  const memory = scratch(ctx, orderId)
  // A life before this one may have gone by another clock
  memory.since ??= ctx.at
  return ctx.at - memory.since >= blockhashMs
}

/**
 * @returns how many endpoints agree that the order is gone, 0 while one does not; `lacks` when they agree in all but the blockhash,
 * of which not each has told
 */
export function agreement(
  ctx: Ctx,
  order: Order,
  said: InputData<'chain.status'>,
): { providers: number; lacks?: 'blockhash' } {
  const { proofs = [], blockhashes = [], silent = [], outlived = [], knownMs = blockhashMs } = said
  const memory = scratch(ctx, order.orderId)
  const tries = memory.silentTries ?? 0
  delete memory.silentTries
  const isTime = isDue(ctx, order.orderId) && knownMs >= blockhashMs
  const isAgreed = isTime && proofs.every((proof, at) => showsNothing(order, proof, outlived[at] === true))
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

/** @returns whether the endpoint that answered is past the order's blockhash, by the height that was told or by its own growth */
export function isPastEnd(
  built: NonNullable<Order['built']>,
  { height, outlived }: InputData<'chain.status'>,
): boolean {
  return isPast(built, height, outlived?.includes(true) === true)
}

function isPast(built: NonNullable<Order['built']>, height: number, outlived: boolean): boolean {
  return outlived || height > built.validUntilHeight
}

/** It took any height and asked for no blockhash: what it went by goes on to hold in its logs. */
function isOfEarlierBuild({ heightSlot }: InputData<'chain.status'>): boolean {
  return heightSlot === undefined
}

type Proof = NonNullable<InputData<'chain.status'>['proofs']>[number]

function showsNothing({ built, signedRef }: Order, proof: Proof, outlived: boolean): boolean {
  const { height, heightSlot, answerSlot, unseen, whole } = proof
  // The status of bytes sent from here is exact. Of others the list under the reference must have been looked through
  const isExact = signedRef !== undefined
  return (
    built !== undefined &&
    isPast(built, height, outlived) &&
    heightSlot >= built.slot &&
    answerSlot >= heightSlot &&
    unseen &&
    (whole || isExact)
  )
}
