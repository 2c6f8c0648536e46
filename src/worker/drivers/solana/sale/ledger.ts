/**
 * Recomputes the sale's books from the chain.
 *
 * 1. One computation at a time. It holds no transaction after it was judged.
 * 2. The operator's figures that are on show are compared, wherever the node or the host would lead; without any, the newest checkpoint
 *    that the authority announced and signed. Its ledger's hash is compared once its file is there.
 * 3. A node that is busy or away is asked again, with growing waits; a pause holds the next call.
 * 4. A computation that a reload ends goes on from its last kept part; a failed one begins anew.
 * 5. The announced versions of the terms are the chain's: a page knows those in force alone.
 * 6. An account's rows are told as far as the ledger is an announced one.
 */
import type { EffectData } from '../../../../events/effect.ts'
import { passingCodes } from '../../../../events/passingCodes.ts'
import { Fault, type FailureCode, toFailure } from '../../../../runtime/failure.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import { accountedParts, type Audit, auditRows, emptyAudit } from '../../../ledger/audit.ts'
import { computeLedger, type PartLedger } from '../../../ledger/computeLedger.ts'
import { totalsOf } from '../../../ledger/ledger.ts'
import { type LedgerParts, storedParts } from '../../../journal/ledgerParts.ts'
import { accountsOf, ledgerSaleOf, type LedgerSale, type TermsVersion } from '../../../ledger/ledgerSale.ts'
import { announcedTerms, type CallNode, scanSale, type SaleScan } from '../../../ledger/saleHistory.ts'
import { waitBefore } from '../../../rpc/retry.ts'
import type { Verify } from '../../../services/signatures.ts'
import { answered, drive, type InputOf } from '../../drive.ts'
import type { Http } from '../../http.ts'
import type { Rpc } from '../rpc.ts'
import { readList } from './saleDocuments.ts'
import {
  amounts,
  booksOf,
  checkpointBeside,
  comparedCheckpoint,
  comparison,
  otherLedger,
  slotIn,
} from './ledgerComparison.ts'
import { readVersion } from './termsVersion.ts'

type Asked = EffectData['ledger.compute']
type Found = InputOf<'ledger.found'>

/** Transactions requested before they are judged: two requests of a node's usual size. */
const ahead = 100
/** Most files of versions requested at a time. */
const filesAtOnce = 20
/** Progress is told this many times over all transactions. */
const steps = 50
/** Attempts beyond those of the transport. The waits between them double, up to about 40 s. */
const patience = 10
/** The core ends with its worker, or for the log of another network, and says nothing of the node. */
const isInnocent = (code: FailureCode) => passingCodes.has(code) || code === 'core_lost'

type LedgerPorts = {
  termsUrl: string
  http: Http
  rpc: Rpc
  verify: Verify
  /** takes the progress */
  emit(input: { type: 'ledger.computing'; data: InputOf<'ledger.computing'> }): void
  /** resolves after this many ms */
  wait?(ms: number): Promise<unknown>
  /** default: a database of its own */
  parts?: LedgerParts
}

/** Bumped when the same history would lead to another ledger, or a ledger is kept in another way. */
const partFormat = 5
/** A kept part: of these terms, for these accounts, and with the totals at `mark`, once reached. */
type Kept = {
  format: number
  versions: string
  accounts: string
  mark: number | undefined
  audit: Audit
  part: PartLedger
}

/** One function, because the second effect steers what the first one began. */
export function createLedgerDriver(ports: LedgerPorts): { 'ledger.compute': Drive; 'ledger.steer': Drive } {
  let control: Control | undefined
  return {
    'ledger.compute': drive<Asked>(async asked => {
      const own = createControl()
      control = own
      const data = await Promise.race([compute(ports, asked, own), own.stopped])
      return answered({ type: 'ledger.found', data })
    }),
    'ledger.steer': drive<EffectData['ledger.steer']>(async ({ act }) => {
      control?.[act]()
      return undefined
    }),
  }
}

type Control = {
  pause(): void
  resume(): void
  stop(): void
  /** rejects when it is stopped */
  stopped: Promise<never>
  isStopped(): boolean
  /** resolves when calls may go on; never, once it is stopped */
  free(): Promise<void>
}

function createControl(): Control {
  let [isHeld, isStopped] = [false, false]
  let waiting: (() => void)[] = []
  let end = (_: Fault) => undefined as void
  const stopped = new Promise<never>((_, reject) => {
    end = reject
  })
  stopped.catch(() => undefined)
  const pause = () => {
    isHeld = true
  }
  return {
    pause,
    resume() {
      isHeld = false
      const all = waiting
      waiting = []
      for (const go of all) go()
    },
    stop() {
      pause()
      isStopped = true
      end(new Fault('elsewhere', 'a ledger expected to be computed, it was stopped'))
    },
    stopped,
    isStopped: () => isStopped,
    free: () => new Promise(go => void (isHeld ? waiting.push(go) : go())),
  }
}

async function compute(ports: LedgerPorts, asked: Asked, control: Control): Promise<Found> {
  const { parts = storedParts } = ports
  const key = `${asked.terms.authority} ${asked.terms.id}`
  const kept = asked.fresh ? undefined : keptOf(asked.accounts, await parts.get(key))
  try {
    const found = await computeFrom(ports, asked, control, kept)
    await parts.put(key, undefined)
    return found
  } catch (cause) {
    // A lying node's part is not gone on from
    if (!isInnocent(toFailure(cause).code)) await parts.put(key, undefined)
    throw cause
  }
}

/** @returns the part to go on from, when its totals are at `mark`, or it has not come there yet */
function partFor(mark: number | undefined, kept: Kept | undefined): PartLedger | undefined {
  if (!kept || kept.mark === mark || mark === undefined) return kept?.part
  const { slot, seconds, state } = kept.part
  return mark >= slot ? { slot, seconds, state } : undefined
}

/** @returns the part to go on from; undefined when it is of other accounts or another build's */
function keptOf(accounts: Asked['accounts'], value: unknown): Kept | undefined {
  const kept = value as Kept | undefined
  return kept?.format === partFormat && kept.accounts === accounts.join() ? kept : undefined
}

/** Lists the sale's transactions, and reads every version of the terms that notices among them announce. */
async function openSale(
  ports: LedgerPorts,
  asked: Asked,
  call: CallNode,
  onListed: (count: number) => void,
): Promise<{ sale: LedgerSale; scan: SaleScan }> {
  const guessed = accountsOf({ terms: asked.terms, hash: asked.termsHash })
  const scan = await scanSale(call, guessed, onListed)
  const announced = await announcedTerms(call, guessed, scan, { verify: ports.verify, ahead })
  const sale = await saleOf(ports, asked, [...new Set([...announced, ...asked.versions])])
  // Terms that name other accounts than version 1 do not count
  const isSame = JSON.stringify(sale.watched) === JSON.stringify(guessed.watched)
  return { sale, scan: isSame ? scan : await scanSale(call, sale, onListed) }
}

async function computeFrom(
  ports: LedgerPorts,
  asked: Asked,
  control: Control,
  known: Kept | undefined,
): Promise<Found> {
  const { verify, emit, parts = storedParts } = ports
  const call = patient(ports, control)
  const file = await checkpointBeside(ports)
  const { sale, scan } = await openSale(ports, asked, call, listed => {
    if (!known && listed % 1000 === 0) emit({ type: 'ledger.computing', data: { listed, judged: 0 } })
  })
  const versions = sale.versions.map(({ hash }) => hash).join()
  const kept = known?.versions === versions ? known : undefined
  const listed = scan.lines.length
  const every = Math.ceil(listed / steps)
  const mark = asked.shown?.slot ?? slotIn(file)
  const from = partFor(mark, kept)
  const audit = (from && kept?.audit) ?? emptyAudit(asked.accounts)
  let isKept = true
  if (!from) emit({ type: 'ledger.computing', data: { listed, judged: 0 } })
  const { state, seconds, balances, marked } = await computeLedger(call, sale, scan, {
    verify,
    ahead,
    ...(from && { from }),
    ...(mark !== undefined && { mark }),
    onRows: (rows, _, now) => auditRows(audit, rows, now, at => totalsOf(sale, now, at).outcome !== 'open'),
    onSlot(part) {
      if (isKept || control.isStopped()) return
      isKept = true
      const of = { format: partFormat, versions, accounts: asked.accounts.join(), mark }
      const now: Kept = { ...of, ...structuredClone({ audit, part }) }
      void parts.put(`${asked.terms.authority} ${asked.terms.id}`, now)
    },
    onRead: judged => {
      if (judged % every !== 0) return
      isKept = false
      emit({ type: 'ledger.computing', data: { listed, judged } })
    },
  })
  const totals = totalsOf(sale, state, seconds)
  const { shown } = asked
  const checkpoint = await comparedCheckpoint(file, { sale, state, shown, verify })
  const books = booksOf(scan.slot, { totals, balances })
  const accounted = accountedParts(audit, checkpoint && marked && { ...checkpoint, ...marked })
  const refused = state.ignored.flatMap(({ hash }) => hash ?? [])
  const announced = state.board.checkpoints.length
  return {
    ...books,
    time: seconds * 1000,
    transactions: listed,
    outcome: totals.outcome,
    ...(audit.outflows.size > 0 && { outflows: amounts([...audit.outflows]) }),
    ...comparison({ file, shown, checkpoint, marked, slot: scan.slot, announced }),
    ...otherLedger(audit, books),
    ...(accounted.length > 0 && { accounted }),
    ...(refused.length > 0 && { refused }),
  }
}

/** Calls the sale's nodes. A busy one is asked again, after waits that double; nothing is asked during a pause. */
function patient({ rpc, wait = waitMs }: LedgerPorts, control: Control): CallNode {
  return async (method, params) => {
    for (let retry = 0; ; retry += 1) {
      await control.free()
      try {
        return await rpc.call(method, params)
      } catch (cause) {
        if (retry >= patience || !passingCodes.has(toFailure(cause).code)) throw cause
        await wait(waitBefore(Math.min(retry, 8), undefined, longest))
      }
    }
  }
}

/** In place of chance, which a driver does not have. */
const longest = (below: number): number => below - 1

function waitMs(ms: number): Promise<unknown> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** @throws Fault `terms_invalid` when a version's file is not the announced one */
async function saleOf(
  { http, termsUrl }: LedgerPorts,
  { terms, termsHash }: Asked,
  versions: readonly string[],
): Promise<LedgerSale> {
  const own = { terms, hash: termsHash }
  const read: TermsVersion[] = []
  for (let at = 0; at < versions.length; at += filesAtOnce) {
    const some = versions.slice(at, at + filesAtOnce)
    const files = some.map(async hash => (hash === termsHash ? own : readVersion({ http, termsUrl }, hash)))
    read.push(...(await Promise.all(files)))
  }
  const { mode, url, sha256 } = terms.access
  const list = mode === 'allowlist' && url !== undefined && sha256 !== undefined ? { url, sha256 } : undefined
  return ledgerSaleOf(read, list && (await readList({ http, termsUrl }, list)))
}
