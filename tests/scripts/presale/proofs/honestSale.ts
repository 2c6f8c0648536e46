/** A filled sale with its honest ledger, which can be resumed at any slot, and nodes that tell one lie about it. */
import { computeLedger, type PartLedger } from '../../../../src/worker/ledger/computeLedger.ts'
import { emptyLedger, type LedgerState } from '../../../../src/worker/ledger/ledgerState.ts'
import type { LedgerSale } from '../../../../src/worker/ledger/ledgerSale.ts'
import { type CallNode, type SaleScan, scanSale } from '../../../../src/worker/ledger/saleHistory.ts'
import type { Verify } from '../../../../src/worker/services/signatures.ts'
import { verify as verifySlowly } from '../../../../scripts/presale/verify.ts'
import { hex } from '../../../stack/solana/bytes.ts'
import type { TransactionRecord } from '../../../stack/solana/ledger.ts'
import { readTokenAccount } from '../../../stack/solana/tokens.ts'
import { nodeOf, type ServedChain } from '../../../worker/ledger/recordedChain.ts'
import { filledSale } from './filledSale.ts'
import type { History, Plant } from './plants.ts'

export type HonestSale = {
  sale: LedgerSale
  scan: SaleScan
  history: History
  served: ServedChain
  verify: Verify
  /** of the whole ledger, hex */
  hash: string
  hashOf(state: LedgerState): string
  /** the hash at the end of a slot */
  hashAt(slot: number): string
  /** a copy of the ledger at the end of the last slot before this one; slots may only grow from call to call */
  before(slot: number): Promise<PartLedger>
  /** the lists of signatures after a slot, with the lie */
  linesWith(plant: Plant, after: number): SaleScan['lines']
  recordsWith(plant: Plant): TransactionRecord[]
  nodeWith(plant: Plant): CallNode
}

/** The ledger at the end of a slot. */
type Mark = { slot: number; seconds: number; hash: string; balances: Map<string, bigint> }

/** @param transactions about how many transactions the sale has */
export async function openHonestSale(seed: string, transactions: number): Promise<HonestSale> {
  const { chain, operator, sale } = await filledSale(seed, transactions)
  const { genesisHash } = sale.first.terms.cluster
  const served: ServedChain = {
    ...chain.blocks.seen('finalized'),
    ...balancesOn(chain, sale),
    records: [...chain.ledger.all()],
  }
  const { call } = nodeOf(served, genesisHash)
  const verify = remembering(verifySlowly)
  const hashOf = ({ hash }: LedgerState) => hex(hash)
  const scan = await scanSale(call, sale)

  const marks: Mark[] = [{ slot: -1, seconds: 0, hash: sale.first.hash, balances: new Map() }]
  const withRows = new Set<string>()
  const computed = await computeLedger(call, sale, scan, {
    verify,
    onSlot: ({ slot, seconds, state }) =>
      void marks.push({ slot, seconds, hash: hashOf(state), balances: new Map(state.balances) }),
    onRows: (_rows, { signature }) => void withRows.add(signature),
  })
  const hash = hashOf(computed.state)
  const { ledgerHash } = operator.evaluate()
  if (ledgerHash !== hash) throw new Error(`the honest ledger expected hash ${ledgerHash}, got ${hash}`)

  const listed = new Map(scan.lines.map(line => [line.signature, line]))
  const records = served.records.filter(({ signature }) => listed.has(signature))
  const usdcMint = sale.first.terms.assets.find(({ symbol }) => symbol === 'USDC')?.mint ?? ''
  const history: History = {
    records,
    rowed: records.flatMap(({ signature }, place) => (withRows.has(signature) ? [place] : [])),
    watched: watchedIn(sale),
    termsHash: sale.first.hash,
    usdcMint,
    lastSlot: scan.slot,
  }
  const names = new Set(sale.watched.map(({ address }) => address))
  let part: PartLedger = { slot: -1, seconds: 0, state: emptyLedger(sale) }
  const lineOf = ({ signature, slot, addresses }: TransactionRecord) => {
    const isWatched = addresses.some(address => names.has(address))
    return { signature, slot, isWatched, isMarked: addresses.includes(sale.noticeRef) }
  }
  return {
    sale,
    scan,
    history,
    served,
    verify,
    hash,
    hashOf,
    hashAt: slot => (slot >= (scan.lines.at(-1)?.slot ?? 0) ? hash : lastMark(marks, slot + 1).hash),
    async before(slot) {
      const mark = lastMark(marks, slot)
      if (mark.slot > part.slot) {
        const { seconds, balances } = mark
        const lines = scan.lines.slice(firstAfter(scan.lines, part.slot), firstAfter(scan.lines, mark.slot))
        const { state } = await computeLedger(
          call,
          sale,
          { slot: mark.slot, seconds, balances, lines },
          { verify, from: part },
        )
        part = { slot: mark.slot, seconds, state }
      }
      return structuredClone(part)
    },
    linesWith({ removed, placed }, after) {
      const rest = scan.lines.slice(firstAfter(scan.lines, after)).filter(({ signature }) => !removed.has(signature))
      return [...rest, ...placed.map(lineOf)].sort((a, b) => a.slot - b.slot)
    },
    recordsWith({ removed, placed }) {
      const rest = served.records.filter(({ signature }) => !removed.has(signature))
      return [...rest, ...placed].sort((a, b) => a.slot - b.slot || a.index - b.index)
    },
    nodeWith({ placed }) {
      const lie = nodeOf(served, genesisHash, {}, placed)
      const told = new Set(placed.map(({ signature }) => signature))
      return (method, params) => (told.has(String(params[0])) ? lie.call(method, params) : call(method, params))
    },
  }
}

function balancesOn(
  chain: Awaited<ReturnType<typeof filledSale>>['chain'],
  sale: LedgerSale,
): Pick<ServedChain, 'lamports' | 'tokens'> {
  const { treasury, assets } = sale.first.terms
  const lamports = new Map([[treasury, chain.accounts.now(treasury)?.lamports ?? 0n]])
  const accounts = sale.watched.flatMap(({ asset, address }) => {
    const mint = assets.find(({ symbol }) => symbol === asset)?.mint
    const amount = readTokenAccount(chain.accounts.now(address))?.amount ?? 0n
    return mint === undefined ? [] : [{ address, mint, owner: treasury, amount }]
  })
  return { lamports, tokens: new Map(accounts.map(account => [account.address, account])) }
}

function watchedIn({ first, watched }: LedgerSale): History['watched'] {
  return { treasury: first.terms.treasury, authority: first.terms.authority, accounts: [...watched] }
}

/** The newest mark before a slot. */
function lastMark(marks: readonly Mark[], slot: number): Mark {
  return marks[firstAfter(marks, slot - 1) - 1] as Mark
}

/** @returns how many of a list in order of slots are at a slot or before it */
function firstAfter(list: readonly { slot: number }[], slot: number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list[middle]?.slot ?? 0) <= slot) from = middle + 1
    else to = middle
  }
  return from
}

/** The same check, done once for the same bytes. */
function remembering(verify: Verify): Verify {
  const known = new Map<string, Promise<boolean>>()
  return (signature, message, publicKey) => {
    const name = Buffer.concat([signature, publicKey, message]).toString('latin1')
    const before = known.get(name) ?? verify(signature, message, publicKey)
    known.set(name, before)
    return before
  }
}
