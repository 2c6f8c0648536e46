import type { EffectData } from '../../../../events/effect.ts'
import { type InputOf, answered, drive } from '../../drive.ts'
import { buyerRef } from '../../../chains/solana/references.ts'
import type { SignatureLine } from '../../../rpc/answers.ts'
import { type ParsedPayment, paymentParsers, topLevelOf } from '../../../services/purchases.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { judgeBytes } from '../order/orderTrace.ts'
import { isNewerKind } from '../../../rpc/errors.ts'
import { type Landed, newestSignatures, recordedTransaction, timeOfSlot } from '../history.ts'
import { createPayoutReader } from './payouts.ts'
import { createPlanReader } from './plans.ts'
import { type BuyerPorts, memberFor, type SaleBackend, type SaleMembers } from './saleBackend.ts'

type Purchase = InputOf<'chain.purchases'>['purchases'][number]
type Sale = EffectData['chain.readPurchases']

/** Most cached strangers' transactions. */
const maxStrangers = 5000

/** Most signatures, and most transactions, requested in one reading because of the account's reference. */
const hintLines = 1000
export const purchaseReads = 20

/** Reads an account's purchases from the chain, as the backend of the sale does. */
export function createPurchasesDriver(ports: BuyerPorts): { 'chain.readPurchases': Drive } {
  const open = new Map<unknown, ReturnType<SaleBackend['readBuyer']>>()
  return {
    'chain.readPurchases': drive<Sale>(async sale => {
      const member = memberFor(buyerReaders, sale.terms)
      const read = open.get(member) ?? member.readBuyer(ports)
      open.set(member, read)
      return answered({ type: 'chain.purchases', data: await read(sale) })
    }),
  }
}

/**
 * Reads what the account's reference lists, and with the payouts what the wallet's own list has of payments by code. Purchases known as
 * final are not requested again. Anyone can write to that reference, so a reading has a budget, and `more` reports an incomplete one.
 */
const readBuyer: SaleBackend['readBuyer'] = ({ rpc, verify, http, termsUrl }) => {
  const strangers = new Set<string>()

  /** @returns undefined while the node lists it, but does not have it yet */
  const read = async (line: SignatureLine, sale: Sale): Promise<Purchase[] | undefined> => {
    const pass = (): Purchase[] => {
      if (strangers.size < maxStrangers) strangers.add(`${sale.account} ${line.signature}`)
      return []
    }
    const landed = await recordedTransaction(rpc, line.signature, 'confirmed').catch((cause: unknown) => {
      if (isNewerKind(cause)) return 'newer' as const
      throw cause
    })
    if (landed === 'newer') return pass()
    // A final one that is missing has left the node's history
    if (!landed) return line.confirmationStatus === 'finalized' ? [] : undefined
    const judged = await judgeBytes(landed.bytes, { signature: line.signature, account: sale.account, verify })
    // Unreadable bytes, or bytes of another signature, are read again next time
    if (typeof judged === 'string') return []
    const payment = judged.decoded && memberFor(paymentParsers, sale.terms).parse(topLevelOf(landed), sale)
    if (!payment) return pass()
    const time = landed.time ?? line.blockTime ?? (await timeOfSlot(rpc, landed.slot))
    // Without a block time the payment's price is unknown, so it is not reported yet
    if (time === null) return []
    return [purchaseOf(line, landed, { ...payment, time })]
  }

  const payoutsOf = createPayoutReader({ rpc, verify })
  const plannedFor = createPlanReader({ http, termsUrl })

  return async sale => {
    const { account, presaleRef, known } = sale
    const final = new Set(known)
    const due = await plannedFor(sale)
    const [{ lines, isFull }, listed] = await Promise.all([
      newestSignatures(rpc, buyerRef(presaleRef, account), hintLines),
      sale.plans && payoutsOf.list(sale, due.accounts),
    ])
    const signatures = new Set(lines.map(({ signature }) => signature))
    // A payment by code has no key of the buyer: it is in the wallet's own list, which is read for payouts
    const byCode = listed?.own.filter(line => !signatures.has(line.signature) && (line.memo ?? '').includes('mai1:'))
    const unread = [...lines, ...(byCode ?? [])]
      .filter(({ signature }) => !final.has(signature) && !strangers.has(`${account} ${signature}`))
      .filter(mayBeOrder)
    const now = unread.slice(0, purchaseReads)
    const [purchases, paid] = await Promise.all([
      Promise.all(now.map(line => read(line, sale))),
      listed && payoutsOf.read(sale, listed),
    ])
    const more: 'unread' | 'older' | undefined =
      unread.length > now.length || purchases.includes(undefined) || paid?.isMore || due.isMore
        ? 'unread'
        : isFull
          ? 'older'
          : undefined
    return {
      account,
      purchases: purchases.flatMap(found => found ?? []),
      ...(more && { more }),
      ...(paid && { payouts: paid.payouts }),
      ...(paid && paid.batches.length > 0 && { batches: paid.batches }),
      ...(due.planned.length > 0 && { planned: due.planned }),
      ...(due.refunds.length > 0 && { refunds: due.refunds }),
    }
  }
}

export const buyerReaders: SaleMembers<'readBuyer'> = { direct: { readBuyer } }

/** The list's memo is a preview; a line without one is read. */
function mayBeOrder({ memo }: SignatureLine): boolean {
  return (memo ?? 'mai1:').includes('mai1:')
}

/** @returns the payment as facts carry it; `time` in Unix seconds */
export function purchaseOf(
  { signature, confirmationStatus }: SignatureLine,
  { slot, err }: Landed,
  { asset, units, memo, fault, time }: ParsedPayment & { time: number },
): Purchase {
  const status = err !== null ? 'failed' : confirmationStatus === 'finalized' ? 'final' : 'confirmed'
  return {
    signature,
    orderId: memo?.id ?? 'none',
    slot,
    paidAt: time * 1000,
    asset,
    units,
    quoted: memo?.quoted ?? '0',
    status,
    ...(memo && { terms: memo.terms }),
    ...(fault && { fault }),
  }
}
