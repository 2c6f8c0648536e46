/** Invariants of steps that bring a payment closer: the right wallet, fresh readings, known state. */
import type { CoreModel } from '../../src/events/app.ts'
import type { EffectType } from '../../src/events/effect.ts'
import {
  failureOf,
  askOf,
  builtOf,
  finalityBlocks,
  isAsked,
  isOpen,
  isPaid,
  isProved,
  isRefused,
  isSend,
  type Order,
  orderKeyOf,
} from '../../src/events/subjects/order/order.ts'
import type { Invoice } from '../../src/events/subjects/sale/invoice.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import { terms } from '../worker/story.ts'
import { claims } from './chain.ts'
import { createTreasuryWatch } from './treasury.ts'
import type { Stepped } from './watch.ts'

const promptMs = 3000
const freshMs = 30_000
const leastBlocks = 20

type Prepared = { orderId: string; decoded: { feePayer: string; instructions: readonly Record<string, unknown>[] } }
type Placed = { acknowledged: readonly string[] }

/** @returns a check of each step, over successive lives of a core */
export function createMoneyWatch() {
  /** time of the last press for an order, by its id */
  let pressedAt = new Map<string, number>()
  /** effects of this life */
  let ordered = new Map<string, { type: EffectType; data: Record<string, unknown> }>()
  /** finalised height of the last look before sending, by order */
  let heights = new Map<string, number>()
  /** orders recorded as signed in this life */
  let signed = new Set<string>()
  const looksAtTreasury = createTreasuryWatch()

  function looks(step: Stepped): string | undefined {
    const { input, model, facts } = step
    if (input.type === 'core.boot') {
      pressedAt = new Map()
      ordered = new Map()
      heights = new Map()
      signed = new Set()
    }
    const asked = input.to === undefined ? undefined : ordered.get(input.to)
    // A repeated answer answers nothing
    if (input.to !== undefined) ordered.delete(input.to)
    if (input.type === 'order.continue') pressedAt.set(String(input.data.orderId), input.at)
    const isLastLook = asked?.data.search === false && asked.data.signature === undefined
    // An endpoint with a false height must not block anything
    if (input.type === 'chain.status' && isLastLook && Number(input.data.height) < claims)
      heights.set(String(input.data.orderId), Number(input.data.height))
    for (const { id, type, data } of step.effects) ordered.set(id, { type, data })

    for (const { type, data } of facts) {
      if (type === 'invoice.opened' && codeWithOtherKey(String(data.invoiceId), model))
        return 'a code has another key than what may be paid'
      const order = model.order[String(data.orderId)]
      if (!type.startsWith('order.') || !order) continue
      const wrong = said(type, data, order, step)
      if (wrong !== undefined) return wrong
    }
    const astray = looksAtTreasury(step)
    if (astray !== undefined) return astray
    if (input.type === 'chain.orderPrepared' || input.type === 'chain.sendPrepared') return builtWrong(step)
    if (input.type === 'order.place') return placedWrong(step)
    if (input.type === 'effect.failed' && asked) return unheard(asked, model)
    return undefined
  }

  function said(type: string, data: Record<string, unknown>, order: Order, step: Stepped): string | undefined {
    const { input, model, effects } = step
    switch (type) {
      case 'order.drafted':
        pressedAt.set(order.orderId, input.at)
        return undefined
      case 'order.asked': {
        if (model.core.storage !== 'durable') return 'a wallet is asked for money without a durable record'
        const connection = model.connection.made[order.connectionId]
        if (connection?.accounts[0] !== order.account) return 'another account is asked than the one that ordered'
        if (input.type === 'order.continue' && input.at - (order.times.built ?? 0) > freshMs)
          return 'a wallet is asked to sign what was built long ago'
        const isPrompt = effects.some(effect => effect.type.startsWith('wallet.sign'))
        const age = input.at - (pressedAt.get(order.orderId) ?? 0)
        if (isPrompt && age > promptMs) return `a prompt opens ${age} ms after its press`
        return order.phase === 'awaitingSignature' ? undefined : 'a wallet was asked about an order that is elsewhere'
      }
      case 'order.signed': {
        const key = `${order.orderId} ${String(data.signature)} ${String(data.bytesRef)}`
        if (signed.has(key) && order.phase !== 'signed') return 'an order is signed again that has gone on'
        signed.add(key)
        return undefined
      }
      case 'order.sending':
        return effects.some(effect => effect.type === 'chain.submit') ? sentBlindly(order, model) : undefined
      case 'order.rejected': {
        const { failure } = data as { failure: { code: string } }
        const isAnswer = input.type === 'wallet.failed' || input.type === 'relay.message'
        return isAnswer && askOf(order)?.means === 'signAndSend' && failure.code !== 'user_rejected'
          ? 'a wallet that may have sent is believed that it did not'
          : undefined
      }
      case 'order.accepted':
        return isSend(order) ? earlierOut(order, model) : otherKeyOut(order, model)
      case 'order.expired':
        return isProof(input.data as InputData<'chain.status'>, order)
          ? undefined
          : 'an order expired though not every endpoint proved that its payment is gone'
      case 'order.abandoned':
      case 'order.simulationFailed':
      case 'order.finalised':
      case 'order.failedOnChain': {
        const phase = type.slice('order.'.length)
        return order.phase === phase ? undefined : `${type} leaves the order ${order.phase}`
      }
      default:
        return undefined
    }
  }

  function sentBlindly(order: Order, { sale, core }: CoreModel): string | undefined {
    if (core.storage !== 'durable') return 'an order is sent without a durable record'
    if (isSend(order)) return tooLate(order)
    if (sale.distrust) return 'an order is sent though what is known cannot be true'
    if (sale.notices?.paused || sale.notices?.closed) return 'an order is sent though the sale takes none'
    return tooLate(order)
  }

  function tooLate(order: Order): string | undefined {
    const left = (builtOf(order)?.validUntilHeight ?? 0) - ((heights.get(order.orderId) ?? 0) + finalityBlocks)
    return left < leastBlocks ? `an order is sent with ${left} blocks left` : undefined
  }

  return looks
}

type Proof = NonNullable<InputData<'chain.status'>['proofs']>[number]

function isProof({ proofs = [], blockhashes = [] }: InputData<'chain.status'>, order: Order): boolean {
  const { validUntilHeight = 0, slot = 0 } = builtOf(order) ?? {}
  const holds = (one: Proof, at: number) =>
    one.height > validUntilHeight &&
    one.heightSlot >= slot &&
    one.answerSlot >= one.heightSlot &&
    one.unseen &&
    blockhashes[at] === 'expired'
  return proofs.length > 0 && proofs.every(holds)
}

/** An order a wallet has seen and that is not final may land: the next one must reuse its key, or the sale accepts both. */
function otherKeyOut(placed: Order, { order, purchase, invoice }: CoreModel): string | undefined {
  const { orderId, account } = placed
  const orders = Object.values(order).filter(one => !isSend(one) && one.account === account && one.orderId !== orderId)
  const final = new Set([
    ...orders.flatMap(one => (isPaid(one) ? one.accepted.orderKey : [])),
    ...(purchase[account]?.purchases ?? []).flatMap(one => (one.status === 'final' ? one.orderId : [])),
  ])
  const isOut = orders
    .filter(isAsked)
    .some(({ accepted }) => !final.has(accepted.orderKey) && accepted.orderKey !== orderKeyOf(placed))
  if (isOut) return 'an order has another key than one that may still land'
  const isOrderOut = orders.filter(isAsked).some(({ accepted }) => !final.has(accepted.orderKey))
  const code = invoice?.all[0]
  const isUsed = code && (final.has(code.orderKey) || invoice.all.some(one => isPaidUnder(one, code.orderKey)))
  return code && !isOrderOut && !isUsed && code.orderKey !== orderKeyOf(placed)
    ? 'an order has another key than a code that may be paid'
    : undefined
}

function isPaidUnder({ payment, orderKey }: Invoice, key: string): boolean {
  return orderKey === key && payment?.status === 'final'
}

/** A code that any wallet was shown may be paid until its key is used up: the next one must reuse it, or the sale accepts both. */
function codeWithOtherKey(invoiceId: string, { invoice, order, purchase }: CoreModel): boolean {
  const opened = invoice?.all.find(one => one.invoiceId === invoiceId)
  const orders = Object.values(order).filter(one => !isSend(one))
  const used = new Set(
    orders.flatMap(one => {
      const final = (purchase[one.account]?.purchases ?? []).filter(({ status }) => status === 'final')
      const key = orderKeyOf(one)
      return key !== undefined && (isPaid(one) || final.some(({ orderId }) => orderId === key)) ? [key] : []
    }),
  )
  for (const { payment, orderKey } of invoice?.all ?? []) if (payment?.status === 'final') used.add(orderKey)
  const codes = (invoice?.all ?? []).filter(one => one !== opened && one.presaleRef === opened?.presaleRef)
  const asked = orders.filter(isAsked).map(({ accepted }) => accepted.orderKey)
  const out = [codes.map(({ orderKey }) => orderKey), asked].map(keys => keys.filter(key => !used.has(key)))
  const [due = []] = out.filter(keys => keys.length > 0)
  return due.length > 0 && !due.includes(opened?.orderKey ?? '')
}

/** No ledger refunds a transfer: the next one waits until the one before is paid, or proved gone, or was never signed. */
function earlierOut(placed: Order, { order }: CoreModel): string | undefined {
  const isOut = Object.values(order).some(
    one =>
      isSend(one) &&
      one.orderId !== placed.orderId &&
      one.account === placed.account &&
      isAsked(one) &&
      (isOpen(one) || (isRefused(one) && one.signed !== undefined && !isProved(one))),
  )
  return isOut ? 'a transfer begins while an earlier one may still land' : undefined
}

/** Whether a transfer may end as soon as it is built: its wallet switched accounts meanwhile, the disk failed, or no chain answered yet. */
function mayEndBuilt(order: Order, { network }: CoreModel): boolean {
  const code = order.phase === 'abandoned' ? failureOf(order)?.code : undefined
  return (
    code === 'account_changed' || code === 'storage_down' || (code === 'unreachable' && network.phase !== 'identified')
  )
}

/** The built transaction must be the agreed payment, or the order stops. */
function builtWrong({ input, model, facts }: Stepped): string | undefined {
  const { orderId, decoded } = input.data as Prepared
  const order = model.order[orderId]
  if (!order || !facts.some(({ type }) => type === 'order.built')) return undefined
  const sold = model.sale.terms.phase === 'read' ? model.sale.terms.terms : undefined
  const paid = decoded.instructions.find(({ kind }) => kind === 'transfer' || kind === 'tokenTransfer')
  const isAgreed =
    decoded.feePayer === order.account &&
    (paid?.kind === 'transfer'
      ? paid.to === (order.send ? order.send.to : sold?.treasury) && paid.lamports === order.units
      : paid?.amount === order.units && paid.owner === order.account)
  if (
    order.send &&
    order.phase !== 'pressAwaited' &&
    order.phase !== 'awaitingSignature' &&
    order.phase !== 'simulated' &&
    !mayEndBuilt(order, model)
  )
    return `a transfer is built and ${order.phase}`
  return isAgreed ? undefined : 'a transaction goes on that pays something else than was agreed'
}

function placedWrong({ input, model, facts }: Stepped): string | undefined {
  if (!facts.some(({ type }) => type === 'order.accepted')) return undefined
  const { acknowledged } = input.data as Placed
  if (terms.legal.acknowledge.some(statement => !acknowledged.includes(statement)))
    return 'an order is accepted without its statements ticked'
  const shown = Object.values(model.order).filter(order => !order.dismissed)
  return shown.length > 1 ? 'an order is placed and an older one is still on show' : undefined
}

/** A failed reading is reported as failed. */
function unheard({ type, data }: { type: EffectType; data: Record<string, unknown> }, model: CoreModel) {
  const account = String(data.account)
  if (type === 'chain.readBalances' && !model.balance[account]?.failure)
    return 'a balance that could not be read goes unsaid'
  if (type === 'chain.readPurchases' && !model.purchase[account]?.failure)
    return 'purchases that could not be read go unsaid'
  if (type === 'chain.identify' && model.network.phase === 'unknown')
    return 'a chain that cannot be reached goes unsaid'
  return undefined
}
