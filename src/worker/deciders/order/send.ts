/**
 * A transfer from its request to its transaction, which waits for a press; from there on it is an order like a purchase. The
 * recipient's account and the token are read and judged by the driver that builds it, see `drivers/solana/order/prepareSend.ts`.
 */
import type { Failure, FailureCode } from '../../../runtime/failure.ts'
import { solDecimals } from '../../../events/values/solana/fees.ts'
import { own } from '../../../runtime/schema/own.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { askOf, isSend } from '../../../events/subjects/order/order.ts'
import { isWatched } from '../../../events/subjects/order/watchedOrder.ts'
import { isOfSale } from '../../../events/subjects/order/sends.ts'
import { parseAmount } from '../../../events/values/amount.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { askRefusal } from '../request/askSession.ts'
import { earlierRefusal } from './judge.ts'
import { draft } from './place.ts'
import { networkRefusal, prepareSend } from './prepareSend.ts'

/** Drafts a transfer and has its transaction built, unless an order is open. */
export function requestSend(ctx: Ctx, data: InputData<'send.request'>): void {
  const { asset, amount, recipient: to, confirmed, orderKey, despiteEarlier } = data
  const tokens = own(ctx.model.balance, activeConnection(ctx.model)?.account ?? '')?.tokens
  const held = tokens?.find(({ mint }) => mint === asset)
  const isKnown = held !== undefined || asset === 'SOL'
  const { decimals } = held ?? { decimals: solDecimals }
  const read = isKnown ? parseAmount(amount, decimals) : undefined
  const units = read?.ok ? read.units : '0'
  const token = held && { mint: held.mint, program: held.program, source: held.account }
  const send = { to, confirmed, decimals, ...token }
  const drafted = draft(ctx, { asset, units, send })
  if (!drafted) return
  const { orderId, account } = drafted
  const failure =
    stateRefusal(ctx, account) ??
    (despiteEarlier ? undefined : doubtfulRefusal(ctx, account)) ??
    (isKnown ? undefined : refusal('no_token_account', 'TOKEN', 'a token of the account')) ??
    (read?.ok ? undefined : refusal('bad_input', 'AMOUNT', 'a decimal amount')) ??
    (units === '0' ? refusal('bad_input', 'ZERO', 'an amount above 0') : undefined) ??
    (to === account ? refusal('bad_input', 'SELF', 'another recipient') : undefined) ??
    (isOfSale(ctx.model.sale, to) && !confirmed.includes('ofSale')
      ? refusal('bad_input', 'RECIPIENT_OF_SALE', 'a recipient that is not the sale, or its confirmation')
      : undefined)
  if (failure) return ctx.fact('order.gateRefused', { orderId, failure })
  ctx.fact('order.quoted', { orderId, quoted: '0', min: '0' })
  ctx.fact('order.accepted', { orderId, termsHash: '', orderKey })
  prepareSend(ctx, { orderId, account, units, send }, orderKey)
}

function refusal(code: FailureCode, rule: string, expected: string): Failure {
  return { code, message: `a transfer expected ${expected}`, facts: { rule } }
}

/**
 * @returns why a person must know of an earlier transfer first, or undefined: its wallet sends by itself, and may still send it.
 *   It never answered or says that it was declined, and a day has not passed
 */
function doubtfulRefusal({ model, at }: Ctx, account: string): Failure | undefined {
  const doubtful = Object.values(model.order)
    .filter(isSend)
    .filter(one => one.account === account && askOf(one)?.means === 'signAndSend' && isWatched(one, at))
    .find(({ phase }) => phase === 'expired' || phase === 'rejected')
  if (!doubtful) return undefined
  const rule = doubtful.phase === 'expired' ? 'EARLIER_UNANSWERED' : 'EARLIER_DECLINED'
  return refusal('busy', rule, 'a confirmation, as its wallet may still send the one before')
}

function stateRefusal(ctx: Ctx, account: string): Failure | undefined {
  const { core } = ctx.model
  if (core.storage !== 'durable') return refusal('storage_down', 'STORAGE', 'a durable record on this device')
  const network = networkRefusal(ctx)
  if (network) return network
  const connection = activeConnection(ctx.model)?.connection
  if (connection?.phase !== 'live') return refusal('wallet_gone', 'WALLET', 'a connected wallet')
  return askRefusal(ctx, connection, account) ?? earlierRefusal(ctx, account)
}
