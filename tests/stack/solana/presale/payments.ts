import { fromBase64, readLittleEndian } from '../bytes.ts'
import type { TransactionRecord } from '../ledger.ts'
import { MEMO, SYSTEM, TOKEN } from '../programs.ts'
import { readTransaction } from '../wire.ts'
import { type Notice, type OrderMemo, readNoticeMemo, readOrderMemo } from './marks.ts'

/** The accounts whose balances are the sale: the treasury itself, and its token account for each listed token. */
export type Watched = { treasury: string; authority: string; accounts: { asset: string; address: string }[] }

/** Meaning of one transaction for the sale. */
export type Meaning =
  | { kind: 'nothing' }
  | { kind: 'notice'; notice: Notice }
  | { kind: 'funding'; asset: string; units: bigint }
  | { kind: 'outflow'; asset: string; units: bigint }
  | {
      kind: 'odd'
      status: 'no_memo' | 'malformed' | 'mismatch' | 'delegated' | 'inner'
      buyer: string
      asset: string
      units: bigint
    }
  | { kind: 'order'; buyer: string; units: bigint; order: OrderMemo }

/** Reads a transaction's effect on the watched accounts; only top-level instructions count as payments. */
export function meaningOf(record: TransactionRecord, watched: Watched): Meaning {
  const wire = readTransaction(fromBase64(record.bytes) ?? new Uint8Array(0))
  const keys = record.addresses
  const signers = keys.slice(0, wire.header.signers)
  const memos: string[] = []
  const inflows: { asset: string; units: bigint; from: string; owner: string }[] = []
  for (const { program, accounts, data } of wire.instructions) {
    const key = (place: number) => keys[accounts[place] ?? -1] ?? ''
    const programId = keys[program]
    if (programId === MEMO) memos.push(Buffer.from(data).toString('utf8'))
    if (
      programId === SYSTEM &&
      readLittleEndian(data, 0, 4) === 2n &&
      data.length === 12 &&
      key(1) === watched.treasury
    )
      inflows.push({ asset: 'SOL', units: readLittleEndian(data, 4, 8), from: key(0), owner: key(0) })
    const checked = data[0] === 12 && data.length === 10
    if (programId === TOKEN && (checked || (data[0] === 3 && data.length === 9))) {
      const account = watched.accounts.find(candidate => candidate.address === key(checked ? 2 : 1))
      if (!account) continue
      const source = record.tokensBefore.find(entry => keys[entry.accountIndex] === key(0))
      inflows.push({
        asset: account.asset,
        units: readLittleEndian(data, 1, 8),
        from: key(checked ? 3 : 2),
        owner: source?.owner ?? '',
      })
    }
  }
  const change = watched.accounts
    .map(({ asset, address }) => ({ asset, units: changeOf(record, asset, address) }))
    .find(entry => entry.units !== 0n)
  const notice = memos.map(readNoticeMemo).find(found => found !== undefined)
  if (notice && signers.includes(watched.authority) && record.err === null) return { kind: 'notice', notice }
  if (!change || record.err !== null) return { kind: 'nothing' }
  if (change.units < 0n) return { kind: 'outflow', asset: change.asset, units: -change.units }

  const orders = memos.map(readOrderMemo).filter(found => found !== undefined)
  const [inflow] = inflows
  const { asset, units } = change
  const payer = signers[0] ?? ''
  if (!inflow) return { kind: 'odd', status: 'inner', buyer: payer, asset, units }
  if (signers.includes(watched.authority) && orders.length === 0) return { kind: 'funding', asset, units }
  const odd = (status: 'no_memo' | 'malformed' | 'mismatch' | 'delegated'): Meaning => ({
    kind: 'odd',
    status,
    buyer: inflow.from,
    asset,
    units,
  })
  const [order] = orders
  if (inflows.length > 1 || orders.length > 1) return odd('malformed')
  if (!order) return odd('no_memo')
  if (inflow.owner !== inflow.from) return odd('delegated')
  if (order.units !== inflow.units || order.asset !== inflow.asset || inflow.units !== units) return odd('mismatch')
  return { kind: 'order', buyer: inflow.from, units, order }
}

function changeOf(record: TransactionRecord, asset: string, address: string): bigint {
  const place = record.addresses.indexOf(address)
  if (place < 0) return 0n
  if (asset === 'SOL') return BigInt(record.after[place] ?? 0) - BigInt(record.before[place] ?? 0)
  const amount = (list: TransactionRecord['tokensBefore']) =>
    BigInt(list.find(entry => entry.accountIndex === place)?.amount ?? 0)
  return amount(record.tokensAfter) - amount(record.tokensBefore)
}
