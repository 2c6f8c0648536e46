/**
 * Answers `wallet_getCallsStatus` (EIP-5792): asks the bundlers that the session names, then the wallet. The chain and the
 * session of sent calls are remembered for a day.
 */
import { isEnded } from '../../../events/subjects/session/request.ts'
import type { CoreModel } from '../../../events/app.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import type { ChainAnswer, ChainQuestion } from '../../../events/wire.ts'
import { type Platform, platformUrl } from '../../platformUrl.ts'
import { ProviderError, thrown } from '../providerError.ts'
import type { SessionIndex } from '../sessions/sessionIndex.ts'
import { valueOf } from '../sessions/sessions.ts'

/** A JSON-RPC request of a host, without its id. */
export type ProviderCall = { method: string; params: unknown }

const rememberedMs = 86_400_000

/** The chain and the session that calls were sent to. */
export type CallsSent = { chain: string; topic: string }

type Ports = {
  model(): Pick<CoreModel, 'request' | 'session'>
  sessions: SessionIndex
  now(): number
  platform: Platform
  readChain(question: ChainQuestion): Promise<ChainAnswer>
  /** @param topic session to ask, if it approved the method */
  askWallet(call: ProviderCall, chain: string, topic?: string): Promise<unknown>
}

type CallsStatus = {
  /** Remembers where calls went. @param result the wallet's answer to `wallet_sendCalls` */
  sent(result: unknown, where: CallsSent): void
  /**
   * @param chain used for calls that are not remembered
   * @throws ProviderError when no bundler answers and no wallet may be asked
   */
  status(call: ProviderCall, chain: string): Promise<unknown>
}

export function createCallsStatus({ model, sessions, now, platform, readChain, askWallet }: Ports): CallsStatus {
  /** by id of the calls, the oldest first */
  const sent = new Map<string, CallsSent & { at: number }>()

  /** Finds the place of calls, also of those that an earlier page sent: their requests are in the model for a while. */
  function placeOf(id: unknown): CallsSent | undefined {
    if (typeof id !== 'string') return undefined
    const since = now() - rememberedMs
    for (const [old, { at }] of sent) {
      if (at >= since) break
      sent.delete(old)
    }
    const known = sent.get(id)
    if (known) return known
    const request = Object.values(model().request)
      .filter(isEnded)
      .find(
        ({ method, sentAt, end }) =>
          method === 'wallet_sendCalls' &&
          sentAt >= since &&
          end.how === 'answered' &&
          end.result !== undefined &&
          idIn(valueOf(end.result)) === id,
      )
    return request && { chain: request.chainId, topic: request.sessionTopic }
  }

  /** @returns the bundler's whole JSON-RPC answer, as the official provider returns it */
  async function receipt(url: string, id: unknown): Promise<unknown> {
    const answer = await readChain({ url, method: 'eth_getUserOperationReceipt', params: [id] })
    if ('result' in answer) return { id: 1, jsonrpc: '2.0', result: answer.result }
    const { data } = answer.error
    const status =
      typeof data === 'object' && data !== null && 'status' in data ? String(data.status) : answer.error.code
    throw thrown.noReceipt(status)
  }

  function bundlersOf({ sessionProperties = {} }: Session, chain: string): string[] {
    const { bundler_name: name, bundler_url: own } = sessionProperties
    const named =
      name === undefined ? undefined : platformUrl(platform, '/v1/bundler', { chainId: chain, bundler: name })
    return [named, own].filter(url => url !== undefined && /^https?:\/\//i.test(url)) as string[]
  }

  return {
    sent(result, where) {
      const id = idIn(result)
      if (id === undefined) return
      sent.delete(id)
      sent.set(id, { ...where, at: now() })
    },
    async status(call, asked) {
      const [id] = Array.isArray(call.params) ? (call.params as unknown[]) : []
      const { chain, topic } = placeOf(id) ?? { chain: asked }
      const session = own(model().session, topic ?? '') ?? sessions.sessionOn(chain)
      let failure: ProviderError | undefined
      for (const url of session ? bundlersOf(session, chain) : []) {
        try {
          return await receipt(url, id)
        } catch (cause) {
          // The next bundler is asked, and the wallet last
          if (!(cause instanceof ProviderError)) throw cause
          failure = cause
        }
      }
      if (sessions.sessionFor(chain, call.method)) return askWallet(call, chain, topic)
      throw thrown.noCallsStatus(failure?.message)
    },
  }
}

/** @returns the id in an answer to `wallet_sendCalls`; older wallets answer with the bare id */
function idIn(result: unknown): string | undefined {
  if (typeof result === 'string') return result
  return typeof result === 'object' && result !== null && 'id' in result && typeof result.id === 'string'
    ? result.id
    : undefined
}
