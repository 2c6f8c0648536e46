import { Fault } from '../../../events/failure.ts'
import { encodeBase58 } from '../../../events/values/base58.ts'
import type { DecodedTransaction } from '../../../events/values/transaction.ts'
import { decode } from '../../chains/solana/decode.ts'
import { bytesOfBase58, messageBytes, readTransaction, signatureOf } from '../../chains/solana/wire.ts'
import { readAnswer, type SignatureLine, signatures } from '../../rpc/answers.ts'
import { isSignedBy, type Verify } from '../../services/signatures.ts'
import type { Endpoint } from './rpc.ts'
import { answerOf, isNewerKind, type Landed, landedIn } from './history.ts'

/** A finalised block height, and the slot of it. */
export type Tip = { height: number; slot: number }

/**
 * The signature that an order is known by: `own` where it stands over the bytes that were checked here, else as its wallet
 * named it.
 */
export type Known = { signature?: string | undefined; own?: true | undefined }

/** Where to look: transactions under `orderRef` from `fromSlot` on, by an endpoint that has seen the tip. */
export type Place = { orderRef: string; account: string; fromSlot: number; tip: Tip; known: Known }

/** A listed transaction that the account has signed. */
export type Signed = { line: SignatureLine; decoded: DecodedTransaction }

/**
 * The verdict on one transaction: another's, for its account did not sign it, or the account's, with the content it signed.
 * `newer`: of a version that this page asks no wallet for, so another's, too.
 */
export type Judged = { decoded?: DecodedTransaction; newer?: true }

/** Why there is no verdict: it cannot be had or read yet, or the endpoint's answer cannot be true. */
type Unjudged = 'unread' | 'lie'

/** What one look at a list found. */
export type Look = {
  found: Signed[]
  /** the whole list has been looked at, and every transaction in it has a verdict */
  whole: boolean
  /** as it was when the list's newest line was read */
  tip: Tip
  /** an answer on the way cannot be true */
  lies: boolean
}

/** A list is read from its newest line to `fromSlot`, over several calls where strangers have flooded it. */
type Scan = {
  /** as it was when the newest line was read */
  tip: Tip
  found: Signed[]
  /** the last two lines that were looked at */
  tail: string[]
  doubt: boolean
  lies: boolean
}

const pageSize = 1000
/** Calls that one look may cost: pages of the list, and transactions. */
const maxPages = 3
const maxRead = 50
/** Verdicts kept of one endpoint: a transaction never changes. */
const maxJudged = 20_000

/**
 * Looks an order up by its reference. Anybody can attach transactions to a reference, so a look has a fixed cost, and the next one
 * goes on where it ended. A transaction counts only when the order's account has signed its bytes, which nobody can forge.
 */
export function createOrderTrace({ verify }: { verify: Verify }) {
  /** by endpoint: one that lies is asked again, and does not profit by what another one told */
  const verdicts = new Map<Endpoint, Map<string, Judged>>()
  const scans = new Map<Endpoint, Map<string, Scan>>()

  const judgedBy = (from: Endpoint): Map<string, Judged> => {
    const known = verdicts.get(from) ?? new Map<string, Judged>()
    verdicts.set(from, known)
    return known
  }

  /** @returns the verdict on one transaction, read once */
  async function judge(
    from: Endpoint,
    signature: string,
    { account, known }: Pick<Place, 'account' | 'known'>,
  ): Promise<Judged | Unjudged> {
    const judged = judgedBy(from)
    const key = `${account} ${signature}`
    const kept = judged.get(key)
    if (kept) return asTold(kept, signature, known)
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

  /** @returns how many transactions were read, and whether the scan is at its end, or cannot go on now */
  async function readPage(from: Endpoint, place: Place, scan: Scan, budget: number) {
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
    // A node that does not know where to go on gives an empty list, which would look like the end
    if (!lines || (goesOn && lines[0]?.signature !== last)) return lost
    const recent = lines.filter(({ slot }) => slot >= fromSlot)
    const fresh = recent.filter(({ signature }) => !judged.has(`${account} ${signature}`)).slice(0, budget)
    const now = new Map(
      await Promise.all(fresh.map(async ({ signature }) => [signature, await judge(from, signature, place)] as const)),
    )
    let reached = 0
    for (const line of recent) {
      const kept = judged.get(`${account} ${line.signature}`)
      const verdict = now.get(line.signature) ?? (kept && asTold(kept, line.signature, known))
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
     * @returns the account's transactions found so far, and whether that is all
     * @throws Fault `unreachable` when the endpoint is behind the tip
     */
    async look(from: Endpoint, place: Place): Promise<Look> {
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

/** @returns the lines, undefined where the answer is no list: no node gives that */
function linesIn(answer: unknown): SignatureLine[] | undefined {
  try {
    return readAnswer(signatures, answer, 'getSignaturesForAddress')
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** Errors in which a node says that it cannot give this one transaction; after any other it cannot be asked. */
const notGiven: ReadonlySet<string> = new Set(['bad_response', 'unsupported'])

/**
 * Anybody can attach a transaction of a newer version than this page writes, and under a reference it is a stranger's. The bytes
 * that were checked here have no such version: the endpoint that says it of them lies. A wallet that sends by itself may have
 * signed anything.
 */
function asTold(verdict: Judged, signature: string, known: Known): Judged | Unjudged {
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
 * Only the account's own signature over these very bytes says that it paid by them. The chain takes no other.
 *
 * @param signed the signature that the bytes are listed under, and the account
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
    return (await isSignedBy(account, messageBytes(bytes), own, verify)) ? { decoded: decode(transaction) } : 'lie'
  } catch (cause) {
    if (cause instanceof Fault && cause.code === 'bad_response') return 'unread'
    throw cause
  }
}
