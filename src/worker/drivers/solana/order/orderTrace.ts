import { Fault } from '../../../../runtime/failure.ts'
import { encodeBase58 } from '../../../../events/values/solana/base58.ts'
import type { DecodedTransaction } from '../../../../events/values/solana/transaction.ts'
import { decodeWire } from '../../../chains/solana/decode.ts'
import { bytesOfBase58, messageBytes, readTransaction, signatureOf } from '../../../chains/solana/wire.ts'
import { readAnswer, type SignatureLine, signatures } from '../../../rpc/answers.ts'
import { isSignedBy, type Verify } from '../../../services/signatures.ts'
import type { Endpoint } from '../rpc.ts'
import { isNewerKind } from '../../../rpc/errors.ts'
import { answerOf, type Landed, landedIn } from '../history.ts'

/** A finalised block height, and its slot. */
export type Tip = { height: number; slot: number }

/** An order's known signature. `own`: it is over the bytes checked here; otherwise the wallet named it. */
type KnownTrace = { signature?: string | undefined; own?: true | undefined }

/** The search: transactions under `orderRef` from `fromSlot` on, at an endpoint that has seen the tip. */
type TraceSearch = { orderRef: string; account: string; fromSlot: number; tip: Tip; known: KnownTrace }

/** A listed transaction signed by the account. */
type Signed = { line: SignatureLine; decoded: DecodedTransaction }

/**
 * The verdict on a transaction: the account's, with its decoded content, or a stranger's, without.
 * `newer`: of a version this page never asks a wallet to sign, so a stranger's too.
 */
export type Judged = { decoded?: DecodedTransaction; newer?: true }

/** A missing verdict: the bytes are not available or readable yet, or the endpoint's answer cannot be true. */
type Unjudged = 'unread' | 'lie'

/** The result of one look at a list. */
type Look = {
  found: Signed[]
  /** the whole list has been read, and every transaction in it has a verdict */
  whole: boolean
  /** the tip when the list's newest line was read */
  tip: Tip
  /** some answer cannot be true */
  lies: boolean
}

/** A list is read from its newest line to `fromSlot`, over several looks where strangers have flooded it. */
type Scan = {
  /** the tip when the newest line was read */
  tip: Tip
  found: Signed[]
  /** the last two lines read: the next page starts after the first and must begin with the second */
  tail: string[]
  doubt: boolean
  lies: boolean
}

const pageSize = 1000
/** Budget of one look: pages of the list, and transactions. */
const maxPages = 3
const maxRead = 50
/** Most cached verdicts of one endpoint; a transaction never changes. */
const maxJudged = 20_000

/**
 * Finds an order's transactions by its reference.
 *
 * 1. Anyone can attach transactions to a reference, so a look has a fixed budget, and the next look continues there.
 * 2. A transaction counts only when the order's account signed its bytes, which is unforgeable.
 * 3. Verdicts and scans are stored by endpoint: no endpoint vouches for another.
 *
 * One function, because both parts share the verdicts.
 */
export function createOrderTrace({ verify }: { verify: Verify }) {
  /** by endpoint: a lie is never cached, and one endpoint's verdict never serves another */
  const verdicts = new Map<Endpoint, Map<string, Judged>>()
  const scans = new Map<Endpoint, Map<string, Scan>>()

  const judgedBy = (from: Endpoint): Map<string, Judged> => {
    const known = verdicts.get(from) ?? new Map<string, Judged>()
    verdicts.set(from, known)
    return known
  }

  /** @returns the verdict on one transaction; each is read once */
  async function judge(
    from: Endpoint,
    signature: string,
    { account, known }: Pick<TraceSearch, 'account' | 'known'>,
  ): Promise<Judged | Unjudged> {
    const judged = judgedBy(from)
    const key = `${account} ${signature}`
    const cached = judged.get(key)
    if (cached) return asTold(cached, signature, known)
    const landed = await landedBy(from, signature)
    if (landed === 'unread' || landed === 'lie') return landed
    const verdict =
      landed === 'newer' ? ({ newer: true } as const) : await judgeBytes(landed.bytes, { signature, account, verify })
    if (typeof verdict === 'string') return verdict
    const [oldest] = judged.keys()
    if (judged.size >= maxJudged && oldest !== undefined) judged.delete(oldest)
    judged.set(key, verdict)
    return asTold(verdict, signature, known)
  }

  /**
   * @returns the number of transactions read, and whether the scan ended (`isEnd`), pauses (`isStuck`) or starts over
   *   (`isLost`)
   */
  async function readPage(from: Endpoint, place: TraceSearch, scan: Scan, budget: number) {
    const { orderRef, account, fromSlot, tip, known } = place
    const [before, last] = scan.tail
    const goesOn = before !== undefined && last !== undefined
    const options = { limit: pageSize, commitment: 'confirmed', minContextSlot: tip.slot }
    const params = [orderRef, goesOn ? { ...options, before } : options]
    const result = await from.call('getSignaturesForAddress', params)
    const lines = linesIn(result)
    const judged = judgedBy(from)
    const lost = { read: 0, isEnd: false, isStuck: false, isLost: true }
    if (!lines) scan.lies = true
    // A node that does not know `before` returns an empty list, which would look like the end
    if (!lines || (goesOn && lines[0]?.signature !== last)) return lost
    const recent = lines.filter(({ slot }) => slot >= fromSlot)
    const fresh = recent.filter(({ signature }) => !judged.has(`${account} ${signature}`)).slice(0, budget)
    const now = new Map(
      await Promise.all(fresh.map(async ({ signature }) => [signature, await judge(from, signature, place)] as const)),
    )
    let reached = 0
    for (const line of recent) {
      const cached = judged.get(`${account} ${line.signature}`)
      const verdict = now.get(line.signature) ?? (cached && asTold(cached, line.signature, known))
      if (!verdict) break
      if (typeof verdict === 'string') scan.doubt = true
      else if (verdict.decoded && line.signature !== last) scan.found.push({ line, decoded: verdict.decoded })
      if (verdict === 'lie') scan.lies = true
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
     * @returns the account's transactions found so far, and whether the list is complete
     * @throws Fault `unreachable` when the endpoint is behind the tip
     */
    async look(from: Endpoint, place: TraceSearch): Promise<Look> {
      const ofEndpoint = scans.get(from) ?? new Map<string, Scan>()
      scans.set(from, ofEndpoint)
      const scan = ofEndpoint.get(place.orderRef) ?? { tip: place.tip, found: [], tail: [], doubt: false, lies: false }
      ofEndpoint.set(place.orderRef, scan)
      const seen = (isWhole: boolean): Look => ({ found: scan.found, whole: isWhole, tip: scan.tip, lies: scan.lies })
      let left = maxRead
      for (let page = 0; page < maxPages; page += 1) {
        const { read, isEnd, isStuck, isLost } = await readPage(from, place, scan, left)
        left -= read
        if (isEnd || isLost) ofEndpoint.delete(place.orderRef)
        if (isEnd) return seen(!scan.doubt)
        if (isStuck || isLost) break
      }
      return seen(false)
    },
  }
}

/** @returns the lines; undefined when the answer is not a list, which no honest node returns */
function linesIn(answer: unknown): SignatureLine[] | undefined {
  try {
    return readAnswer(signatures, answer, 'getSignaturesForAddress')
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** Errors for a transaction the node cannot return; other errors mean that the node is not available. */
const notGiven: ReadonlySet<string> = new Set(['bad_response', 'unsupported'])

/**
 * Anyone can attach a transaction of a newer version than ours; under a reference it is a stranger's. The bytes checked here
 * are not of such a version, so an endpoint that claims it of them lies. A wallet that sends by itself may have signed one.
 */
function asTold(verdict: Judged, signature: string, known: KnownTrace): Judged | Unjudged {
  if (!verdict.newer || signature !== known.signature) return verdict
  return known.own ? 'lie' : 'unread'
}

async function landedBy(from: Endpoint, signature: string): Promise<Landed | Unjudged | 'newer'> {
  let answer: unknown
  try {
    answer = await answerOf(from, signature, 'confirmed')
  } catch (cause) {
    if (isNewerKind(cause)) return 'newer'
    if (cause instanceof Fault && notGiven.has(cause.code)) return 'unread'
    throw cause
  }
  try {
    return landedIn(answer, signature) ?? 'unread'
  } catch (cause) {
    if (cause instanceof Fault) return 'lie'
    throw cause
  }
}

/**
 * A payment counts only by the account's own signature over these very bytes, as on the chain.
 *
 * @param signed the signature that lists the bytes, and the account
 */
export async function judgeBytes(
  bytes: Uint8Array,
  signed: { signature: string; account: string; verify: Verify },
): Promise<Judged | Unjudged> {
  const { signature, account, verify } = signed
  try {
    const transaction = readTransaction(bytes)
    if (encodeBase58(transaction.signatures[0] ?? new Uint8Array()) !== signature) return 'lie'
    if (!transaction.accountKeys.slice(0, transaction.header.signers).includes(account)) return {}
    const own = bytesOfBase58(signatureOf(transaction, account) ?? '')
    return (await isSignedBy(account, messageBytes(bytes), own, verify)) ? { decoded: decodeWire(transaction) } : 'lie'
  } catch (cause) {
    if (cause instanceof Fault && cause.code === 'bad_response') return 'unread'
    throw cause
  }
}
