/** A second node's word: before anything is signed, its ledger and notices have to be those of the first. */
import { Fault } from '../../../src/runtime/failure.ts'
import { noticeArgument } from '../../../src/events/sale/payments/operatorMemos.ts'
import { totalsOf } from '../../../src/worker/ledger/ledger.ts'
import type { SaleOutcome } from '../../../src/events/sale/saleOutcome.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { SaleScan } from '../../../src/worker/ledger/saleHistory.ts'
import { type Node, waitMs } from '../node.ts'
import type { SaleNotices } from '../operator/saleNotices.ts'
import { listSale, readLedger, type ReadSale } from '../readLedger.ts'
import { dateText } from '../totalsText.ts'
import type { TracedRow } from './trace.ts'
import type { PresaleIo } from '../verb.ts'

/** A reading of the first node. `since`: the last slot of a stored part, which its scan leaves out. */
type FirstReading = { scan: SaleScan; read: ReadSale; since?: number | undefined }

/** @returns a sentence for each difference of the second node's signatures and ledger */
export async function secondDiffers(
  node: Node,
  sale: LedgerSale,
  first: FirstReading,
  second: SaleScan,
  io: PresaleIo,
): Promise<string[]> {
  const { scan, read, since = -1 } = first
  const signatures = ({ lines }: SaleScan) =>
    new Set(lines.filter(({ slot }) => slot > since && slot <= read.slot).map(({ signature }) => signature))
  const [here, there] = [signatures(scan), signatures(second)]
  const missing = [...here].filter(signature => !there.has(signature))
  const more = [...there].filter(signature => !here.has(signature))
  return [
    ...missing.map(signature => `${node.host} lacks ${signature}`),
    ...more.map(signature => `${node.host} alone has ${signature}`),
    ...(await ledgerDiffers(node, sale, first, second, io)),
  ]
}

async function ledgerDiffers(
  node: Node,
  sale: LedgerSale,
  { scan, read }: FirstReading,
  second: SaleScan,
  io: PresaleIo,
): Promise<string[]> {
  try {
    // Beyond the newest slot of the first one it goes on: a sale that is over there stays so
    const end = read.slot === scan.slot ? { mark: read.slot } : { until: read.slot }
    const other = await readLedger(node, sale, second, { io, ...end })
    const [here, there] = [totalsOf(sale, read.state, read.seconds), totalsOf(sale, other.state, other.seconds)]
    const hash = (other.marked?.totals ?? there).ledgerHash
    if (here.ledgerHash !== hash) return [`${node.host} leads to ledger hash ${hash}`]
    return [
      ...payersDiffer(node, read, other),
      ...timeDiffers(node, read, other),
      ...outcomeDiffers(node, { ...read, outcome: here.outcome }, { ...other, outcome: there.outcome }),
    ]
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'rpc_lying') throw cause
    return [`${node.host} leads to no ledger: ${cause.message}`]
  }
}

/** The owner of the tokens that a payment took is in no signed byte and in no row. */
function payersDiffer({ host }: Node, first: ReadSale, second: ReadSale): string[] {
  return first.payers.flatMap(({ i, sig, source }, at) => {
    const there = second.payers[at]?.source
    if (source?.account === there?.account && source?.owner === there?.owner) return []
    return `${host} has row ${i} (${sig}) from ${sourceText(there)}, the first or the stored ledger from ${sourceText(source)}; "ledger --whole" reads the chain anew`
  })
}

function sourceText(source: TracedRow['source']): string {
  return source ? `account ${source.account} of ${source.owner}` : 'no known account'
}

type Told = Pick<ReadSale, 'slot' | 'seconds'>

/** Chain time never goes back: a slot has no later time than one after it. */
function timeDiffers({ host }: Node, first: Told, second: Told): string[] {
  if (second.slot < first.slot || second.seconds >= first.seconds) return []
  return [
    `${host} is at ${dateText(second.seconds)} in slot ${second.slot}, the first was at ${dateText(first.seconds)} in slot ${first.slot}`,
  ]
}

/**
 * A node that is behind, or says so, has a clock that the second's later one does not contradict: it may call a sale over before its last
 * payments.
 */
function outcomeDiffers(
  { host }: Node,
  first: Told & { outcome: SaleOutcome },
  second: Told & { outcome: SaleOutcome },
): string[] {
  if (first.outcome === 'open' || first.outcome === second.outcome) return []
  return [
    `${host} leads to a sale that is ${second.outcome} in slot ${second.slot}, the first to one that is ${first.outcome} in slot ${first.slot}`,
  ]
}

/**
 * Compares a reading of the ledger with the second node's.
 *
 * @throws Fault `rpc_lying` naming the differences; `unreachable` from a node that stays behind
 */
export async function agreeOnLedger(second: Node, sale: LedgerSale, first: FirstReading, io: PresaleIo): Promise<void> {
  const { slot } = first.read
  const scan = await listUpTo(second, slot, io, () => listSale(second, sale, io))
  agree(second, `the ledger up to slot ${slot}`, await secondDiffers(second, sale, first, scan, io))
}

/** Compares the notices that a first node told with the second node's. @throws Fault `rpc_lying` naming the differences */
export function agreeOnNotices(second: Node, first: SaleNotices, other: SaleNotices): void {
  const linesOf = ({ counted }: SaleNotices) =>
    counted
      .filter(({ slot }) => slot <= first.slot)
      .map(({ notice, signature }) => `${notice.seq} (${notice.verb} ${noticeArgument(notice)}) ${signature}`)
  const [here, there] = [linesOf(first), linesOf(other)]
  agree(second, `the notices up to slot ${first.slot}`, [
    ...timeDiffers(second, first, other),
    ...here.filter(line => !there.includes(line)).map(line => `it lacks ${line}`),
    ...there.filter(line => !here.includes(line)).map(line => `it alone has ${line}`),
  ])
}

const mostTold = 3

/** @throws Fault `rpc_lying` naming the first few differences */
export function agree({ host }: Node, about: string, differences: readonly string[]): void {
  if (differences.length === 0) return
  const more = differences.length > mostTold ? `; and ${differences.length - mostTold} more` : ''
  throw new Fault(
    'rpc_lying',
    `the second node ${host} expected ${about} as the first has it, got another: ${differences.slice(0, mostTold).join('; ')}${more}. Nothing is signed or written`,
  )
}

/**
 * Lists until the node knows a slot, for about a minute.
 *
 * @throws Fault `unreachable` from a node that stays behind
 */
export async function listUpTo(
  { host }: Node,
  slot: number,
  { wait = waitMs }: Pick<PresaleIo, 'wait'>,
  list: () => Promise<SaleScan>,
): Promise<SaleScan> {
  for (let tries = 0; tries < 60; tries += 1) {
    const scan = await list()
    if (scan.slot >= slot) return scan
    await wait(1_000)
  }
  throw new Fault('unreachable', `${host} expected to know slot ${slot}, got an older one for a minute`)
}
