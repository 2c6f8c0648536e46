import { Fault } from '../../events/failure.ts'
import { encodeBase58 } from '../../events/values/base58.ts'
import type { DecodedTransaction } from '../../events/values/transaction.ts'
import { decode } from '../chains/solana/decode.ts'
import { bytesOfBase58, messageBytes, readTransaction, signatureOf } from '../chains/solana/wire.ts'
import { readAnswer, type SignatureLine, signatures } from '../rpc/answers.ts'
import { isSignedBy, type Verify } from '../services/signatures.ts'
import type { Endpoint } from './rpc.ts'
import { transactionOf } from './solanaHistory.ts'

/** A finalised block height, and the slot of it. */
export type Tip = { height: number; slot: number }

/** Where to look: transactions under `orderRef` from `fromSlot` on, by an endpoint that has seen the tip. */
export type Place = { orderRef: string; account: string; fromSlot: number; tip: Tip }

/** A listed transaction that the account has signed. */
export type Signed = { line: SignatureLine; decoded: DecodedTransaction }

/**
 * The verdict on one transaction: another's, for its account did not sign it, or the account's, with the content it signed. Undefined while it
 * cannot be had or read, or when its bytes are not those of the signature it is listed under: then an endpoint lies.
 */
export type Judged = { decoded?: DecodedTransaction }

/** A list is read from its newest line to `fromSlot`, over several calls where strangers have flooded it. */
type Scan = {
  /** as it was when the newest line was read */
  tip: Tip
  found: Signed[]
  /** the last two lines that were looked at */
  tail: string[]
  doubt: boolean
}

const pageSize = 1000
/** Calls that one look may cost: pages of the list, and transactions. */
const maxPages = 3
const maxRead = 50
/** Verdicts kept: a transaction never changes. */
const maxJudged = 20_000

/**
 * Looks an order up by its reference. Anybody can attach transactions to a reference, so a look has a fixed cost, and the next one
 * goes on where it ended. A transaction counts only when the order's account has signed its bytes, which nobody can forge.
 */
export function createOrderTrace({ verify }: { verify: Verify }) {
  const judged = new Map<string, Judged>()
  const scans = new Map<Endpoint, Map<string, Scan>>()

  /** @returns the verdict on one transaction, read once */
  async function judge(from: Endpoint, signature: string, account: string): Promise<Judged | undefined> {
    const key = `${account} ${signature}`
    const known = judged.get(key)
    if (known) return known
    const landed = await transactionOf(from, signature, 'confirmed')
    const verdict = landed && (await judgeBytes(landed.bytes, { signature, account, verify }))
    if (!verdict) return undefined
    const [oldest] = judged.keys()
    if (judged.size >= maxJudged && oldest !== undefined) judged.delete(oldest)
    judged.set(key, verdict)
    return verdict
  }

  /** @returns how many transactions were read, and whether the scan is at its end, or cannot go on now */
  async function readPage(from: Endpoint, place: Place, scan: Scan, budget: number) {
    const { orderRef, account, fromSlot, tip } = place
    const [before, last] = scan.tail
    const goesOn = before !== undefined && last !== undefined
    const options = { limit: pageSize, commitment: 'confirmed', minContextSlot: tip.slot }
    const params = [orderRef, goesOn ? { ...options, before } : options]
    const result = await from.call('getSignaturesForAddress', params)
    const lines = readAnswer(signatures, result, 'getSignaturesForAddress')
    // A node that does not know where to go on gives an empty list, which would look like the end
    if (goesOn && lines[0]?.signature !== last) return { read: 0, isEnd: false, isStuck: false, isLost: true }
    const recent = lines.filter(({ slot }) => slot >= fromSlot)
    const fresh = recent.filter(({ signature }) => !judged.has(`${account} ${signature}`)).slice(0, budget)
    const verdicts = new Map(
      await Promise.all(
        fresh.map(async ({ signature }) => [signature, await judge(from, signature, account)] as const),
      ),
    )
    let reached = 0
    for (const line of recent) {
      const verdict = judged.get(`${account} ${line.signature}`)
      if (!verdict && !verdicts.has(line.signature)) break
      if (!verdict) scan.doubt = true
      if (verdict?.decoded && line.signature !== last) scan.found.push({ line, decoded: verdict.decoded })
      if (line.signature !== last) scan.tail = [...scan.tail.slice(-1), line.signature]
      reached += 1
    }
    const isLast = lines.length < pageSize || recent.length < lines.length
    return {
      read: fresh.length,
      isEnd: isLast && reached === recent.length,
      isStuck: reached < recent.length,
      isLost: false,
    }
  }

  return {
    judge,

    /**
     * @returns the account's transactions found so far, whether the whole list has been looked at, and the tip at its beginning
     * @throws Fault `unreachable` when the endpoint is behind the tip
     */
    async look(from: Endpoint, place: Place): Promise<{ found: Signed[]; whole: boolean; tip: Tip }> {
      const ofEndpoint = scans.get(from) ?? new Map<string, Scan>()
      scans.set(from, ofEndpoint)
      const scan = ofEndpoint.get(place.orderRef) ?? { tip: place.tip, found: [], tail: [], doubt: false }
      ofEndpoint.set(place.orderRef, scan)
      let left = maxRead
      for (let page = 0; page < maxPages; page += 1) {
        const { read, isEnd, isStuck, isLost } = await readPage(from, place, scan, left)
        left -= read
        if (isEnd || isLost) ofEndpoint.delete(place.orderRef)
        if (isEnd) return { found: scan.found, whole: !scan.doubt, tip: scan.tip }
        if (isStuck || isLost) break
      }
      return { found: scan.found, whole: false, tip: scan.tip }
    },
  }
}
export type OrderTrace = ReturnType<typeof createOrderTrace>

/**
 * Only the account's own signature over these very bytes says that it paid by them.
 *
 * @param signed the signature that the bytes are listed under, and the account
 */
export async function judgeBytes(
  bytes: Uint8Array,
  signed: { signature: string; account: string; verify: Verify },
): Promise<Judged | undefined> {
  const { signature, account, verify } = signed
  try {
    const transaction = readTransaction(bytes)
    if (encodeBase58(transaction.signatures[0] ?? new Uint8Array()) !== signature) return undefined
    if (!transaction.accountKeys.slice(0, transaction.header.signers).includes(account)) return {}
    const own = bytesOfBase58(signatureOf(transaction, account) ?? '')
    return (await isSignedBy(account, messageBytes(bytes), own, verify)) ? { decoded: decode(transaction) } : undefined
  } catch (cause) {
    if (cause instanceof Fault && cause.code === 'bad_response') return undefined
    throw cause
  }
}
