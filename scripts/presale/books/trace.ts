/** Rows of the ledger with what a payout needs beside them: the account that paid, or what a transaction took out. */
import { parsePayMemo } from '../../../src/events/sale/payments/operatorMemos.ts'
import { dataViewOf } from '../../../src/runtime/dataView.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { inflowsIn } from '../../../src/worker/ledger/findings.ts'
import type { LedgerRow } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { Move } from '../payouts/found.ts'
import type { LedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'

/** The account that a payment came from, and its owner at that time. */
export type Source = { account: string; owner: string }

/**
 * Effects of a transaction on accounts, as far as its own instructions tell. `memo`: the first one in the grammar of payouts. `made`:
 * token accounts that it creates. `strange`: it has instructions beside those of a payout.
 */
export type Outgoing = { memo: string | null; moves: Move[]; made: string[]; strange: boolean }

/** `source`: of a payment, where an instruction of the transaction itself paid. `out`: of an outflow. */
export type TracedRow = { row: LedgerRow; source?: Source; out?: Outgoing }

/** @returns the rows of one transaction, in order */
export function tracedRows(rows: readonly LedgerRow[], transaction: LedgerTransaction, sale: LedgerSale): TracedRow[] {
  const inflows = inflowsIn(transaction, sale).filter(({ units }) => units > 0n)
  const out = rows.some(({ status }) => status === 'outflow') ? outgoingIn(transaction) : undefined
  return rows.map((row): TracedRow => {
    const { i, asset, buyer, status } = row
    if (status === 'outflow' && out) return { row, out }
    // Payments of one asset have the order of their instructions
    const own = inflows.filter(inflow => inflow.asset === asset)
    const paid = own[rows.filter(one => one.asset === asset && one.i < i).length]
    if (buyer === null || paid?.signer !== buyer) return { row }
    return { row, source: { account: paid.source, owner: transaction.owners.get(paid.source) ?? paid.signer } }
  })
}

/** @returns what a transaction's own instructions move, create, and name */
export function outgoingIn({ instructions }: LedgerTransaction): Outgoing {
  const found: Outgoing = { memo: null, moves: [], made: [], strange: false }
  for (const instruction of instructions) {
    const { program, accounts, data } = instruction
    const move = moveIn(instruction)
    if (move) found.moves.push(move)
    else if (program === programs.memo) {
      const text = new TextDecoder().decode(data)
      if (parsePayMemo(text)) found.memo ??= text
    } else if (program === programs.associatedToken) found.made.push(accounts[1] ?? '')
    else if (!isHarmless(instruction)) found.strange = true
  }
  return found
}

type Instruction = LedgerTransaction['instructions'][number]

/** Number of the System program's transfer, and of those that make and advance a nonce account. */
const transfer = 2
const ofNonces: readonly number[] = [4, 6, 9]

function isHarmless({ program, data }: Instruction): boolean {
  if (program === programs.computeBudget) return true
  return program === programs.system && data.length >= 4 && ofNonces.includes(dataViewOf(data).getUint32(0, true))
}

function moveIn({ program, accounts, data }: Instruction): Move | undefined {
  const view = dataViewOf(data)
  if (program === programs.system && data.length >= 12 && view.getUint32(0, true) === transfer) {
    const [from = '', to = '', ...refs] = accounts
    return { from, to, units: view.getBigUint64(4, true).toString(), refs }
  }
  const isToken = program === programs.token || program === programs.token2022
  if (!isToken || data.length < 9 || (data[0] !== 3 && data[0] !== 12)) return undefined
  const isChecked = data[0] === 12
  const [from = '', to = '', , ...refs] = isChecked ? [accounts[0], ...accounts.slice(2)] : accounts
  return { from, to, units: view.getBigUint64(1, true).toString(), refs: refs.flatMap(ref => ref ?? []) }
}
