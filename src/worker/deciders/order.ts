/**
 * A purchase, from the press to the wallet's answer. What follows the signature is in `orderGate.ts` (the last look before
 * sending) and `orderWatch.ts` (what the chain says).
 */
import type { Failure } from '../../events/failure.ts'
import { activeConnection } from '../../events/subjects/connection.ts'
import { isDead, type Order, openOrder } from '../../events/subjects/order.ts'
import type { DecodedTransaction, ExpectedTransfer } from '../../events/values/transaction.ts'
import { checkSigned } from '../chains/solana/check.ts'
import type { Ctx, Decider, InputData } from '../context.ts'
import { ask, askOrWait, meansOf, scratch, silenceMs } from './orderAsk.ts'
import { openGate } from './orderGate.ts'
import { quoteRefusal, saleRefusal } from './orderJudge.ts'
import { isWatched, watchOrder } from './orderWatch.ts'
import { heldByPage } from './page.ts'

/** A prepared transaction older than this is prepared anew before it is signed, ms. */
const freshMs = 30_000
/** How long a page that held a prompt may take to come back, ms. */
const returnMs = 10_000

/** Why an order may not be placed now, or undefined. */
function refusalOf(ctx: Ctx, data: InputData<'order.place'>): Failure | undefined {
  const { sale, network, core } = ctx.model
  const active = activeConnection(ctx.model)
  if (core.storage !== 'durable')
    return { code: 'storage_down', message: 'an order expected a durable record on this device, there is none' }
  if (network.phase !== 'identified')
    return { code: 'unreachable', message: 'an order expected the chain to be identified, it is not' }
  if (sale.distrust) return sale.distrust
  if (sale.terms.phase !== 'read')
    return { code: 'terms_invalid', message: 'an order expected the terms to be read, they are not' }
  if (!sale.notices)
    return { code: 'unreachable', message: 'an order expected the published notices to be read, they are not' }
  if (sale.terms.termsHash !== data.termsHash)
    return { code: 'terms_changed', message: 'the terms on the page are not the terms in force' }
  const missing = sale.terms.terms.legal.acknowledge.filter(statement => !data.acknowledged.includes(statement))
  if (missing.length > 0)
    return {
      code: 'bad_input',
      message: `an order expected the statements ${missing.join(', ')} to be ticked, they were not`,
    }
  if (!active || active.connection.phase !== 'live')
    return { code: 'wallet_gone', message: 'an order expected a connected wallet, there is none' }
  return saleRefusal(ctx) ?? quoteRefusal(ctx, data)
}

function place(ctx: Ctx, data: InputData<'order.place'>): void {
  if (openOrder(ctx.model)) return
  const active = activeConnection(ctx.model)
  const orderId = ctx.id('order')
  ctx.fact('order.drafted', {
    orderId,
    account: active?.account ?? '',
    connectionId: active?.connection.connectionId ?? '',
    walletName: active?.connection.wallet.name ?? '',
    asset: data.asset,
    units: data.units,
  })
  for (const old of Object.values(ctx.model.order))
    if (!old.dismissed) ctx.fact('order.dismissed', { orderId: old.orderId })
  const failure = refusalOf(ctx, data)
  const { terms } = ctx.model.sale
  if (failure || !active || terms.phase !== 'read') {
    ctx.fact('order.gateRefused', {
      orderId,
      failure: failure ?? { code: 'wallet_gone', message: 'an order expected a connected wallet, there is none' },
    })
    return
  }
  const orderKey = hex(ctx.random(0x100000000)) + hex(ctx.random(0x100000000))
  ctx.fact('order.quoted', { orderId, quoted: data.quoted, min: data.min })
  ctx.fact('order.accepted', { orderId, termsHash: data.termsHash, orderKey })
  Object.assign(scratch(ctx, orderId), { pressedAt: ctx.at, tab: ctx.input.tab ?? '' })
  const { account } = active
  const { asset, units, quoted, min, termsHash, referrer } = data
  ctx.effect(
    'chain.prepareOrder',
    {
      orderId,
      terms: terms.terms,
      order: {
        orderKey,
        account,
        asset,
        units,
        quoted,
        min,
        termsHash,
        presaleRef: terms.presaleRef,
        ...(referrer === undefined ? {} : { referrer }),
      },
    },
    { about: orderId },
  )
}

/** Builds the same intent again: the same order key, a fresh blockhash. */
function prepareAgain(ctx: Ctx, order: Order): void {
  const { terms } = ctx.model.sale
  const { orderId, account, asset, units, quoted = '0', min = '0', termsHash = '', orderKey = '' } = order
  if (terms.phase !== 'read') return
  ctx.effect(
    'chain.prepareOrder',
    {
      orderId,
      terms: terms.terms,
      order: { orderKey, account, asset, units, quoted, min, termsHash, presaleRef: terms.presaleRef },
    },
    { about: orderId },
  )
}

function prepared(ctx: Ctx, data: InputData<'chain.orderPrepared'>): void {
  const order = ctx.model.order[data.orderId]
  if (!order || !['accepted', 'built', 'simulated', 'pressAwaited'].includes(order.phase)) return
  const { orderId, bytesRef, blockhash, validUntilHeight, slot, orderRef, memo, fee, unitsConsumed } = data
  const transfer = agreedTransfer(ctx, order, data.decoded)
  if (!transfer) {
    ctx.fact('order.simulationFailed', {
      orderId,
      failure: { code: 'treasury_mismatch', message: 'the transaction built here does not pay what was agreed' },
    })
    return
  }
  const built = { bytesRef, blockhash, validUntilHeight, slot, orderRef, memo, fee, transfer }
  ctx.fact('order.built', { orderId, ...built })
  ctx.fact('order.simulated', { orderId, unitsConsumed })
  const ready: Order = { ...order, built }
  if (meansOf(ctx, order) === 'signAndSend') openGate(ctx, ready, 'ask')
  else askOrWait(ctx, ready)
}

/** The payment in what was built, when it is exactly the agreed one. */
function agreedTransfer(ctx: Ctx, order: Order, decoded: DecodedTransaction): ExpectedTransfer | undefined {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read') return undefined
  const asset = terms.terms.assets.find(listed => listed.symbol === order.asset)
  const transfer = decoded.instructions.find(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
  if (!asset || !transfer || decoded.feePayer !== order.account) return undefined
  if (transfer.kind === 'transfer') {
    const agreed =
      asset.mint === undefined &&
      transfer.from === order.account &&
      transfer.to === terms.terms.treasury &&
      transfer.lamports === order.units
    return agreed ? transfer : undefined
  }
  if (transfer.kind !== 'tokenTransfer') return undefined
  const agreed =
    transfer.mint === asset.mint &&
    transfer.owner === order.account &&
    transfer.amount === order.units &&
    transfer.decimals === asset.decimals
  return agreed ? transfer : undefined
}

/** The wallet signed and gave the bytes back: compared with what was agreed, then the last look. */
export function orderSigned(
  ctx: Ctx,
  orderId: string,
  signed: { signature: string; bytesRef: string; decoded: DecodedTransaction },
): void {
  const order = ctx.model.order[orderId]
  if (!order?.built || !awaits(order)) {
    ctx.effect('bytes.forget', { refs: [signed.bytesRef] })
    return
  }
  const { built, account } = order
  const check = checkSigned(signed.decoded, {
    buyer: account,
    memo: built.memo,
    transfer: built.transfer,
    blockhash: built.blockhash,
  })
  if (!check.ok) {
    const facts: Record<string, string> = {}
    for (const { field, expected, got } of check.differences.slice(0, 8))
      facts[field] = `${expected.slice(0, 60)} → ${got.slice(0, 60)}`
    const message =
      `${order.walletName} returned another transaction than was agreed: ${check.differences.map(difference => difference.field).join(', ')}`.slice(
        0,
        300,
      )
    ctx.fact('order.gateRefused', { orderId, failure: { code: check.code, message, facts } })
    ctx.effect('bytes.forget', { refs: [signed.bytesRef] })
    watchOrder(ctx, orderId)
    return
  }
  ctx.fact('order.signed', { orderId, signature: signed.signature, bytesRef: signed.bytesRef })
  openGate(ctx, { ...order, signature: signed.signature, signedRef: signed.bytesRef }, 'send')
}

/** The wallet signed and sent by itself. */
export function orderSent(ctx: Ctx, orderId: string, signature: string): void {
  const order = ctx.model.order[orderId]
  if (!order || !awaits(order)) return
  ctx.fact('order.signed', { orderId, signature })
  ctx.fact('order.sending', { orderId })
  watchOrder(ctx, orderId)
}

/** The wallet said no, or cannot be asked any more. */
export function orderRefused(ctx: Ctx, orderId: string, failure: Failure): void {
  const order = ctx.model.order[orderId]
  if (!order || !awaits(order)) return
  // A wallet that sends by itself may have sent before it failed: only the person's own no is believed at once
  if (failure.code === 'user_rejected' || (order.ask?.means === 'sign' && failure.code !== 'wallet_gone')) {
    ctx.fact('order.rejected', { orderId, failure })
    if (order.built) ctx.effect('bytes.forget', { refs: [order.built.bytesRef] })
    return
  }
  if (order.phase !== 'unknown') ctx.fact('order.unknown', { orderId, failure })
  watchOrder(ctx, orderId)
}

function awaits(order: Order): boolean {
  return order.phase === 'awaitingSignature' || (order.phase === 'unknown' && order.signature === undefined)
}

/** Orders whose prompt lived in a page that is gone. */
export function orderWalletGone(ctx: Ctx): void {
  for (const order of Object.values(ctx.model.order)) {
    if (order.phase === 'awaitingSignature' && order.ask?.tab !== undefined && order.ask.tab === ctx.input.tab)
      lost(ctx, order)
  }
}

function lost(ctx: Ctx, order: Order): void {
  ctx.fact('order.unknown', {
    orderId: order.orderId,
    failure: { code: 'wallet_gone', message: `the page that asked ${order.walletName} is gone` },
  })
  watchOrder(ctx, order.orderId)
}

function askedBy(ctx: Ctx): Order | undefined {
  const { to } = ctx.input
  if (ctx.cause?.type === 'chain.insertSignature') return ctx.model.order[ctx.cause.about]
  return to === undefined ? undefined : Object.values(ctx.model.order).find(order => order.ask?.askId === to)
}

export const order: Decider = {
  'order.place': place,
  'order.continue': (ctx, { orderId }) => {
    const known = ctx.model.order[orderId]
    if (known?.phase !== 'pressAwaited') return
    Object.assign(scratch(ctx, orderId), { pressedAt: ctx.at, tab: ctx.input.tab ?? '' })
    if (ctx.at - (known.times.built ?? 0) > freshMs) prepareAgain(ctx, known)
    else ask(ctx, known)
  },
  'order.abandon': (ctx, { orderId }) => {
    const known = ctx.model.order[orderId]
    if (!known || !['drafted', 'quoted', 'accepted', 'built', 'simulated', 'pressAwaited'].includes(known.phase)) return
    ctx.fact('order.abandoned', {
      orderId,
      failure: { code: 'user_rejected', message: 'the person gave up before the wallet was asked' },
    })
  },
  'order.dismiss': (ctx, { orderId }) => {
    const known = ctx.model.order[orderId]
    if (known && (isDead(known) || known.phase === 'finalised' || known.phase === 'accounted'))
      ctx.fact('order.dismissed', { orderId })
  },
  'chain.orderPrepared': prepared,
  'wallet.signed': (ctx, data) => {
    const known = askedBy(ctx)
    if (known) orderSigned(ctx, known.orderId, data)
  },
  'wallet.sent': (ctx, { signature }) => {
    const known = askedBy(ctx)
    if (known) orderSent(ctx, known.orderId, signature)
  },
  'wallet.failed': (ctx, { failure }) => {
    const known = askedBy(ctx)
    if (known) orderRefused(ctx, known.orderId, failure)
  },
  'effect.failed': (ctx, { failure }) => {
    if (ctx.cause?.type === 'chain.insertSignature') return orderRefused(ctx, ctx.cause.about, failure)
    if (ctx.cause?.type !== 'chain.prepareOrder') return
    const known = ctx.model.order[ctx.cause.about]
    if (known && ['accepted', 'built', 'simulated', 'pressAwaited'].includes(known.phase))
      ctx.fact('order.simulationFailed', { orderId: known.orderId, failure })
  },
  'page.attached': ctx => {
    for (const known of Object.values(ctx.model.order)) {
      if (known.phase !== 'awaitingSignature' || known.ask?.tab === undefined || heldByPage(ctx, known.ask.askId))
        continue
      if (known.ask.tab === ctx.input.tab) lost(ctx, known)
      else ctx.effect('timer.set', { timerId: `return:${known.orderId}`, at: ctx.at + returnMs })
    }
  },
  timers: {
    silence: (ctx, orderId) => {
      const known = ctx.model.order[orderId]
      if (known?.phase !== 'awaitingSignature') return
      ctx.fact('order.unknown', {
        orderId,
        failure: {
          code: 'wallet_gone',
          message: `${known.walletName} expected to answer within ${silenceMs / 1000} s, sent nothing`,
        },
      })
      watchOrder(ctx, orderId)
    },
    return: (ctx, orderId) => {
      const known = ctx.model.order[orderId]
      if (known?.phase === 'awaitingSignature' && known.ask && !heldByPage(ctx, known.ask.askId)) lost(ctx, known)
    },
  },
  resume: ctx => {
    for (const known of Object.values(ctx.model.order)) {
      const { orderId, phase } = known
      if (['drafted', 'quoted', 'accepted', 'built', 'simulated', 'pressAwaited'].includes(phase)) {
        if (ctx.boot.cause === 'start') {
          ctx.fact('order.abandoned', {
            orderId,
            failure: { code: 'core_lost', message: 'the page was reloaded before the wallet was asked' },
          })
        } else if (phase !== 'pressAwaited') prepareAgain(ctx, known)
      } else if (phase === 'awaitingSignature') {
        const asked = known.times.awaitingSignature ?? ctx.at
        ctx.effect('timer.set', { timerId: `silence:${orderId}`, at: Math.max(ctx.at + returnMs, asked + silenceMs) })
      } else if (phase === 'signed') openGate(ctx, known, 'send')
      else if (isWatched(known)) watchOrder(ctx, orderId)
    }
  },
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
