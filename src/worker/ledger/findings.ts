/**
 * Extraction: the meaning of one transaction for the sale.
 *
 * 1. Only top-level instructions pay. A transfer of 0 is none, and bytes after a transfer's amount are ignored, as its program
 *    ignores them.
 * 2. Every unit that came to a watched account is in exactly one finding.
 * 3. Of several findings that fit one payment the first of the table in the reference counts; a second payment or order
 *    memo in the transaction comes before a missing one.
 *
 * @see reference "Presale", §7
 */
import { type OrderMemo, parseOrderMemo } from '../../events/sale/payments/memo.ts'
import type { Terms } from '../../events/sale/terms/termsShape.ts'
import type { Notice } from '../../events/sale/payments/operatorMemos.ts'
import { programs } from '../chains/solana/programs.ts'
import type { LedgerSale } from './ledgerSale.ts'
import type { LedgerTransaction } from './ledgerTransaction.ts'
import type { TopLevel } from './topLevel.ts'
import { dataViewOf } from '../../runtime/dataView.ts'

/** A payment that is refunded whole, whatever the state of the sale. `no_memo` and `inner` need a person's decision. */
type RefusedPayment = 'no_memo' | 'malformed' | 'mismatch' | 'delegated' | 'inner'

/** Amounts in base units. `buyer` signed the transfer; null where no top-level transfer says so. */
export type Finding =
  | { kind: 'order'; asset: string; units: bigint; buyer: string; memo: OrderMemo }
  | { kind: 'refused'; status: RefusedPayment; asset: string; units: bigint; buyer: string | null }
  | { kind: 'funding' | 'outflow'; asset: string; units: bigint }
  | { kind: 'notice'; notice: Notice }

/** A top-level transfer to a watched account. `source`: the account that paid; `isOwn`: its owner signed. */
type Inflow = { asset: string; units: bigint; source: string; signer: string; isOwn: boolean }

type Moved = TopLevel & Pick<LedgerTransaction, 'failed' | 'balances' | 'owners' | 'notice'>
type Watch = Pick<LedgerSale, 'watched'> & { first: { terms: Pick<Terms, 'authority' | 'treasury'> } }

/** @returns the findings in the order of their rows: payments by asset, then the notice; none of a failed transaction */
export function findingsIn(transaction: Moved, sale: Watch): Finding[] {
  if (transaction.failed) return []
  const { balances, signers, notice } = transaction
  const memos = memosIn(transaction)
  const orders = ordersIn(transaction)
  const isFunding = orders.length === 0 && signers.includes(sale.first.terms.authority)
  const grown = new Set(balances.filter(({ before, after }) => after > before).map(({ asset }) => asset))
  const inflows = inflowsIn(transaction, sale).filter(({ asset, units }) => units > 0n && grown.has(asset))
  const isMalformed =
    inflows.length > 1 || orders.length > 1 || (orders.length === 0 && memos.some(text => text.startsWith('mai1:')))

  const payments = balances.flatMap(({ asset, before, after }): Finding[] => {
    const units = after - before
    if (units === 0n) return []
    if (units < 0n) return [{ kind: 'outflow', asset, units: -units }]
    if (isFunding) return [{ kind: 'funding', asset, units }]
    const own = inflows.filter(inflow => inflow.asset === asset)
    const [first] = own
    if (!first) return [{ kind: 'refused', status: 'inner', asset, units, buyer: null }]
    const isWhole = own.reduce((sum, inflow) => sum + inflow.units, 0n) === units
    if (isMalformed) {
      // Each payer is owed what they paid; where the sum is another one, the account's change is all that is certain
      const parts = isWhole ? own : [{ ...first, units }]
      return parts.map(part => ({
        kind: 'refused',
        status: 'malformed',
        asset,
        units: part.units,
        buyer: part.signer,
      }))
    }
    const [memo] = orders
    const refused = (status: RefusedPayment): Finding[] => {
      return [{ kind: 'refused', status, asset, units, buyer: first.signer }]
    }
    if (!memo) return refused('no_memo')
    if (!isWhole || memo.asset !== asset || memo.units !== units.toString()) return refused('mismatch')
    if (!first.isOwn) return refused('delegated')
    return [{ kind: 'order', asset, units, buyer: first.signer, memo }]
  })
  return notice ? [...payments, { kind: 'notice', notice }] : payments
}

/** @returns the orders that the memos of a transaction write */
export function ordersIn(transaction: TopLevel): OrderMemo[] {
  return memosIn(transaction).flatMap(text => parseOrderMemo(text) ?? [])
}

function memosIn({ instructions }: TopLevel): string[] {
  const memos = instructions.filter(({ program }) => program === programs.memo)
  return memos.map(({ data }) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(data))
}

/** @returns the payments that a transaction's own instructions make, in their order */
export function inflowsIn({ instructions, signers, owners }: TopLevel & Pick<Moved, 'owners'>, sale: Watch): Inflow[] {
  const { treasury } = sale.first.terms
  return instructions.flatMap(({ program, accounts, data }): Inflow[] => {
    const view = dataViewOf(data)
    const listed = (address: string | undefined) => sale.watched.find(one => one.address === address)?.asset
    if (program === programs.system) {
      const [from = '', to] = accounts
      const asset = data.length >= 12 && view.getUint32(0, true) === 2 && to === treasury ? listed(to) : undefined
      if (asset === undefined) return []
      return [{ asset, units: view.getBigUint64(4, true), source: from, signer: from, isOwn: true }]
    }
    if (program !== programs.token || data.length < 9 || (data[0] !== 3 && data[0] !== 12)) return []
    const isChecked = data[0] === 12
    const [source = '', destination, signer = ''] = isChecked ? [accounts[0], ...accounts.slice(2)] : accounts
    const asset = listed(destination)
    if (asset === undefined || destination === treasury) return []
    const isOwn = owners.get(source) === signer && signers.includes(signer)
    return [{ asset, units: view.getBigUint64(1, true), source, signer, isOwn }]
  })
}
