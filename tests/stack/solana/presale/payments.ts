import { fromBase64, readLittleEndian } from '../bytes.ts'
import type { TokenBalance, TransactionRecord } from '../ledger.ts'
import { MEMO, SYSTEM, TOKEN } from '../programs.ts'
import { readTransaction } from '../wire.ts'
import { type Marks, type Notice, type OrderMemo, readNoticeMemo, readOrderMemo } from './marks.ts'

/** The accounts whose balances are the sale: the treasury itself, and its token account for each listed token. */
export type Watched = { treasury: string; authority: string; accounts: { asset: string; address: string }[] }

/** One entry for the ledger: money that moved on one watched account, or a notice. */
export type Meaning =
  | { kind: 'notice'; notice: Notice }
  | { kind: 'moved'; status: 'funding' | 'outflow'; asset: string; units: bigint }
  | { kind: 'odd'; status: Odd; buyer: string | null; asset: string; units: bigint }
  | { kind: 'order'; buyer: string; asset: string; units: bigint; order: OrderMemo }
type Odd = 'no_memo' | 'malformed' | 'mismatch' | 'delegated' | 'inner'

type Payment = { to: string; units: bigint; signer: string; honest: boolean }

/** Reads the effect of a transaction on the watched accounts, in their order, and its notice last. */
export function meaningsOf(record: TransactionRecord, watched: Watched, marks: Marks): Meaning[] {
  if (record.err !== null) return []
  const view = viewOf(record)
  const memos = view.calls.filter(call => call.program === MEMO).map(call => Buffer.from(call.data).toString('utf8'))
  const orders = memos.map(readOrderMemo).filter(order => order !== undefined)
  const broken = orders.length === 0 && memos.some(text => text.slice(0, 5) === 'mai1:')
  const changes = new Map(
    watched.accounts.map(({ address }) => {
      const [before, after] = balancesIn(record, address, watched) ?? [0n, 0n]
      return [address, after - before]
    }),
  )
  const payments = view.calls
    .map(call => paymentOf(call, view, record))
    .filter(payment => payment !== undefined)
    .filter(({ to, units }) => units > 0n && (changes.get(to) ?? 0n) > 0n)

  const found: Meaning[] = []
  for (const { asset, address } of watched.accounts) {
    const change = changes.get(address) ?? 0n
    if (change === 0n) continue
    if (change < 0n) {
      found.push({ kind: 'moved', status: 'outflow', asset, units: -change })
      continue
    }
    if (orders.length === 0 && view.signers.includes(watched.authority)) {
      found.push({ kind: 'moved', status: 'funding', asset, units: change })
      continue
    }
    const here = payments.filter(payment => payment.to === address)
    const [one] = here
    const order = orders[0]
    const total = here.reduce((sum, payment) => sum + payment.units, 0n)
    if (!one) found.push({ kind: 'odd', status: 'inner', buyer: null, asset, units: change })
    else if (payments.length > 1 || orders.length > 1 || broken) {
      if (total === change)
        for (const { signer, units } of here)
          found.push({ kind: 'odd', status: 'malformed', buyer: signer, asset, units })
      else found.push({ kind: 'odd', status: 'malformed', buyer: one.signer, asset, units: change })
    } else if (!order) found.push({ kind: 'odd', status: 'no_memo', buyer: one.signer, asset, units: change })
    else if (order.asset !== asset || order.units !== one.units || one.units !== change)
      found.push({ kind: 'odd', status: 'mismatch', buyer: one.signer, asset, units: change })
    else if (!one.honest) found.push({ kind: 'odd', status: 'delegated', buyer: one.signer, asset, units: change })
    else found.push({ kind: 'order', buyer: one.signer, asset, units: change, order })
  }
  const notice = memos.length === 1 ? readNoticeMemo(memos[0] ?? '') : undefined
  if (notice && view.calls.some(call => isMarked(call, watched.authority, marks.notice)))
    found.push({ kind: 'notice', notice })
  return found
}

/** `signed`: those of its keys that the message itself spells out, without those of lookup tables. */
type CallView = { program: string; keys: string[]; signed: string[]; data: Uint8Array }
type View = { calls: CallView[]; signers: string[] }

function viewOf(record: TransactionRecord): View {
  const wire = readTransaction(fromBase64(record.bytes) ?? new Uint8Array(0))
  const key = (place: number) => record.addresses[place] ?? ''
  return {
    signers: record.addresses.slice(0, wire.header.signers),
    calls: wire.instructions.map(({ program, accounts, data }) => ({
      program: key(program),
      keys: accounts.map(key),
      signed: accounts.filter(place => place < wire.addresses.length).map(key),
      data,
    })),
  }
}

/** A call that moves lamports or tokens from a signer; `honest`: out of the signer's own account. */
function paymentOf({ program, keys, data }: CallView, view: View, record: TransactionRecord): Payment | undefined {
  if (program === SYSTEM && data.length >= 12 && readLittleEndian(data, 0, 4) === 2n)
    return { to: keys[1] ?? '', units: readLittleEndian(data, 4, 8), signer: keys[0] ?? '', honest: true }
  if (program !== TOKEN || data.length < 9) return undefined
  const places = { 3: [1, 2], 12: [2, 3] }[data[0] ?? 0]
  if (!places) return undefined
  const [to = '', signer = ''] = places.map(place => keys[place])
  const entry = [...record.tokensBefore, ...record.tokensAfter].find(
    ({ accountIndex }) => record.addresses[accountIndex] === keys[0],
  )
  const honest = entry?.owner === signer && view.signers.includes(signer)
  return { to, units: readLittleEndian(data, 1, 8), signer, honest }
}

function isMarked({ program, signed: keys, data }: CallView, authority: string, mark: string): boolean {
  const isTransfer = program === SYSTEM && data.length === 12 && readLittleEndian(data, 0, 4) === 2n
  const isEmpty = readLittleEndian(data, 4, 8) === 0n
  return isTransfer && isEmpty && keys[0] === authority && keys[1] === authority && keys.slice(2).includes(mark)
}

/** Balance of a watched account before and after a transaction, base units; undefined when the transaction does not name it. */
export function balancesIn(record: TransactionRecord, address: string, watched: Watched): [bigint, bigint] | undefined {
  const place = record.addresses.indexOf(address)
  if (place < 0) return undefined
  if (address === watched.treasury) return [BigInt(record.before[place] ?? 0), BigInt(record.after[place] ?? 0)]
  const amount = (list: TokenBalance[]) => BigInt(list.find(entry => entry.accountIndex === place)?.amount ?? 0)
  return [amount(record.tokensBefore), amount(record.tokensAfter)]
}
