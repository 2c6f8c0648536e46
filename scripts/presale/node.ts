/** Calls to one Solana node. URLs may hold keys: errors name the host alone. */
import { exactIntegers } from '../../src/runtime/json/bigIntegers.ts'
import { Fault, toFailure } from '../../src/runtime/failure.ts'
import { readJson } from '../../src/runtime/json/readJson.ts'
import type { CallNode } from '../../src/worker/ledger/saleHistory.ts'
import { readAnswers, requestText, resultOf } from '../../src/worker/rpc/batch.ts'
import { retriedStatuses, waitBefore } from '../../src/worker/rpc/retry.ts'

/** @returns after this many ms */
export type Wait = (ms: number) => Promise<void>

type NodeIo = { call?: typeof fetch | undefined; wait?: Wait | undefined; random?: (below: number) => number }

/** `calls`: how many were made so far. */
export type Node = { host: string; call: CallNode; calls(): number }

const maxRetries = 8
const attemptMs = 30_000
/** Longest wait that a node may ask for, ms. */
const longestWait = 60_000

/**
 * @param url http or https
 * @param option that names it
 * @throws Fault `bad_input` when it is no such address
 */
export function openNode(
  url: string,
  { call = fetch, wait = waitMs, random = below => Math.floor(Math.random() * below) }: NodeIo,
  option = '--rpc',
): Node {
  const { host, protocol } = URL.canParse(url) ? new URL(url) : { host: '', protocol: '' }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Fault('bad_input', `${option} expected an address such as https://api.mainnet-beta.solana.com`)
  const name = `the node at ${host}`
  let id = 0
  return {
    host,
    calls: () => id,
    async call(method, params) {
      id += 1
      const asked = { id, method, params }
      for (let retry = 0; ; retry += 1) {
        const outcome = await attempt(url, asked, { name, call }).catch((cause: unknown) => ({
          cause,
          after: undefined,
        }))
        if ('result' in outcome) return outcome.result
        if (retry >= maxRetries || !mayPass(outcome.cause)) throw outcome.cause
        const after = outcome.after === undefined ? undefined : Math.min(outcome.after, longestWait)
        await wait(waitBefore(retry, after, random))
      }
    },
  }
}

type Outcome = { result: unknown } | { cause: unknown; after: number | undefined }

async function attempt(
  url: string,
  asked: { id: number; method: string; params: readonly unknown[] },
  { name, call }: { name: string; call: typeof fetch },
): Promise<Outcome> {
  let answer: Response
  let text: string
  try {
    answer = await call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: requestText([asked]),
      signal: AbortSignal.timeout(attemptMs),
    })
    text = await answer.text()
  } catch {
    throw new Fault('unreachable', `${name} expected to answer ${asked.method}, got no answer`)
  }
  if (answer.status !== 200) {
    const code =
      answer.status === 429 ? 'rate_limited' : retriedStatuses.has(answer.status) ? 'unreachable' : 'bad_response'
    const after = Number(answer.headers.get('retry-after') ?? Number.NaN) * 1000
    const cause = new Fault(code, `${name} expected to answer ${asked.method}, got HTTP status ${answer.status}`)
    return { cause, after: Number.isFinite(after) ? after : undefined }
  }
  const limits = { maxLength: 64_000_000, maxValues: Number.POSITIVE_INFINITY, maxDepth: 64 }
  const body = readJson(text, { name: `${name}: an answer to ${asked.method}`, bigIntegers: exactIntegers, ...limits })
  const [outcome] = readAnswers([asked], body, name)
  if (!outcome) throw new Fault('bad_response', `${name} expected to answer ${asked.method}, got nothing`)
  return { result: resultOf(outcome, asked.method, name) }
}

function mayPass(cause: unknown): boolean {
  const { code } = toFailure(cause)
  return code === 'rate_limited' || code === 'unreachable'
}

/** A timer. */
export function waitMs(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
