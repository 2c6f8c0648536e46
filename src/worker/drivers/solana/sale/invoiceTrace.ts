import { Fault } from '../../../../runtime/failure.ts'
import type { Terms } from '../../../../events/sale/terms/terms.ts'
import { readAnswer, type SignatureLine, signatures } from '../../../rpc/answers.ts'
import { isNewerKind } from '../../../rpc/errors.ts'
import { type ParsedPayment, paymentParsers, topLevelOf } from '../../../services/purchases.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { InputOf } from '../../drive.ts'
import { type Landed, recordedTransaction, timeOfSlot } from '../history.ts'
import { judgeBytes } from '../order/orderTrace.ts'
import type { Rpc } from '../rpc.ts'
import { purchaseOf } from './purchases.ts'
import { memberFor } from './saleBackend.ts'

type Place = { reference: string; orderKey: string; terms: Terms }
export type FoundPayment = Required<Pick<InputOf<'chain.invoice'>, 'buyer' | 'payment'>>

/** A payment under the key; its status is that of its line. */
type Paid = { buyer: string; landed: Landed; payment: ParsedPayment & { time: number } }
/** `none`: a stranger's transaction that pays nothing for the key. `unread`: not available yet; the next walk reads it. */
type Verdict = Paid | 'none'

type Trace = {
  /** by signature; a transaction never changes */
  verdicts: Map<string, Verdict>
  /** payments in the lists so far: of the last whole walk, and of this one */
  found: Map<string, FoundPayment>
  walk: Walk
}

/** A walk goes from the newest line to the oldest, over several looks where strangers have flooded the list. */
type Walk = {
  found: Map<string, FoundPayment>
  /** the last two lines read: the next page starts after the first and must begin with the second */
  tail: string[]
  /** some transaction was not available */
  doubt: boolean
}

/** Budget of one look: lines of one call, and transactions. */
const pageSize = 1000
export const invoiceReads = 20
/** Most cached verdicts under one key, and most keys. */
const maxVerdicts = 20_000
const maxTraces = 8

const newWalk = (): Walk => ({ found: new Map(), tail: [], doubt: false })

/**
 * Finds the payments under a code's reference key.
 *
 * 1. Anyone who has seen the code can write under its key, so a look has a fixed budget, and the next look continues there.
 * 2. A walk is as long as the list was at its beginning: later transactions delay a payment, and never hide it.
 * 3. A transaction is read once. A payment stays known until a whole walk no longer lists it.
 *
 * One function, because its parts share the verdicts.
 */
export function createInvoiceTrace({ rpc, verify }: { rpc: Rpc; verify: Verify }) {
  const traces = new Map<string, Trace>()

  function traceOf({ reference, terms: { treasury, assets } }: Place): Trace {
    // Other accounts of the sale are other payments
    const key = JSON.stringify([reference, treasury, assets.map(({ symbol, mint }) => [symbol, mint])])
    const trace = traces.get(key) ?? { verdicts: new Map(), found: new Map(), walk: newWalk() }
    traces.delete(key)
    traces.set(key, trace)
    const [oldest] = traces.keys()
    if (traces.size > maxTraces && oldest !== undefined) traces.delete(oldest)
    return trace
  }

  /** @returns the payments found so far, oldest first */
  async function look(place: Place): Promise<readonly FoundPayment[]> {
    const trace = traceOf(place)
    const { walk, verdicts } = trace
    const [before, last] = walk.tail
    const goesOn = before !== undefined && last !== undefined
    const options = { limit: pageSize, commitment: 'confirmed' }
    const params = [place.reference, goesOn ? { ...options, before } : options]
    const lines = readAnswer(signatures, await rpc.call('getSignaturesForAddress', params), 'getSignaturesForAddress')
    // A node that does not know `before` returns an empty list, which would look like the end
    if (goesOn && lines[0]?.signature !== last) {
      trace.walk = newWalk()
      return inOrder(trace)
    }
    const fresh = lines.filter(line => !hasFailed(line) && !verdicts.has(line.signature)).slice(0, invoiceReads)
    const unread = new Set<string>()
    const read = async (line: SignatureLine) => {
      const verdict = await judge(line, place)
      if (verdict === 'unread') return void unread.add(line.signature)
      const [oldest] = verdicts.keys()
      if (verdicts.size >= maxVerdicts && oldest !== undefined) verdicts.delete(oldest)
      verdicts.set(line.signature, verdict)
    }
    await Promise.all(fresh.map(read))
    let reached = 0
    for (const line of lines) {
      const { signature } = line
      const verdict = hasFailed(line) ? 'none' : verdicts.get(signature)
      if (!verdict && !unread.has(signature)) break
      if (!verdict) walk.doubt = true
      else if (verdict !== 'none') walk.found.set(signature, paidBy(verdict, line))
      if (signature !== last) walk.tail = [...walk.tail.slice(-1), signature]
      reached += 1
    }
    const isWhole = reached === lines.length && lines.length < pageSize
    trace.found = isWhole && !walk.doubt ? walk.found : new Map([...trace.found, ...walk.found])
    if (isWhole) trace.walk = newWalk()
    return inOrder(trace)
  }

  async function judge(line: SignatureLine, { terms, orderKey }: Place): Promise<Verdict | 'unread'> {
    const { signature } = line
    const { parse } = memberFor(paymentParsers, terms)
    try {
      const landed = await recordedTransaction(rpc, signature, 'confirmed')
      if (landed?.err !== null) return 'unread'
      const transaction = topLevelOf(landed)
      for (const account of transaction.signers) {
        const judged = await judgeBytes(landed.bytes, { signature, account, verify })
        if (typeof judged === 'string') return 'unread'
        const payment = judged.decoded && parse(transaction, { account, terms })
        if (!payment || (payment.memo && payment.memo.id !== orderKey)) continue
        const time = landed.time ?? line.blockTime ?? (await timeOfSlot(rpc, landed.slot))
        // Without a block time the payment's price is unknown, so it is not reported yet
        return time === null ? 'unread' : { buyer: account, landed, payment: { ...payment, time } }
      }
      return 'none'
    } catch (cause) {
      // This page cannot read a newer version, and no other transaction waits for it
      if (isNewerKind(cause)) return 'none'
      if (cause instanceof Fault && (cause.code === 'bad_response' || cause.code === 'rpc_lying')) return 'unread'
      throw cause
    }
  }

  return { look }
}

/** A list has the newest first; payments of one slot keep its order. */
function inOrder({ found }: Trace): FoundPayment[] {
  return [...found.values()].reverse().sort((a, b) => a.payment.slot - b.payment.slot)
}

function paidBy({ buyer, landed, payment }: Paid, line: SignatureLine): FoundPayment {
  return { buyer, payment: purchaseOf(line, landed, payment) }
}

function hasFailed({ err }: SignatureLine): boolean {
  return (err ?? null) !== null
}
