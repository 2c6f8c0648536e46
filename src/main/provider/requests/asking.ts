/**
 * Requests of this page to wallets. Each is a promise that facts settle, so that the answer survives the loss of the core.
 *
 * 1. A request is known by its purpose, which is made of the command's ref; its id is learned from `request.sent`.
 * 2. Ends are read from facts. The model, which forgets ended requests, is read only where facts may have been missed.
 * 3. A promise whose command may be lost is rejected. `gaveUp` knows it, as the request may still end.
 */
import type { CoreModel } from '../../../events/app.ts'
import type { Command } from '../../../events/command.ts'
import type { FactRecord } from '../../../runtime/log/record.ts'
import { isEnded } from '../../../events/subjects/session/request.ts'
import type { RequestEnd } from '../../../events/subjects/session/requestState.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { referenceText } from '../../../events/values/reference.ts'
import type { ProviderCall } from './callsStatus.ts'
import { type ProviderError, thrown } from '../providerError.ts'
import { formRefusal } from '../refusedCommand.ts'
import { type ReadKept, requestResult } from './requestEnd.ts'

type Ports = {
  model(): Pick<CoreModel, 'request'>
  give(command: Command): { ref: string; taken: Promise<void> }
  readKept: ReadKept
}

type Asker = {
  /** @returns the wallet's result. @throws ProviderError */
  ask(session: Session, chain: string, call: ProviderCall, expirySeconds?: number): Promise<unknown>
  /** Facts were folded; an empty list after facts may have been missed. */
  look(facts: readonly FactRecord[]): void
  /** Whether the promise of this purpose was rejected before the request's end was known. */
  gaveUp(purpose: string): boolean
}

type Waiting = { settle(end: RequestEnd): void; fail(cause: ProviderError): void; taken: boolean }

/** One function, because the command's outcome, its facts and missed facts all settle the same waiting promises. */
export function createAsking({ model, give, readKept }: Ports): Asker {
  /** by purpose */
  const waiting = new Map<string, Waiting>()
  /** purposes of open requests, by request id */
  const purposes = new Map<string, string>()
  const givenUp = new Set<string>()
  /** whether facts arrived before `give` returned */
  let early = false

  /** Reads the end from the fact: one batch may end a request and make the model forget it. */
  function hear({ type, data }: FactRecord): void {
    const requestId = String(data.requestId)
    if (type === 'request.sent' && waiting.has(String(data.purpose))) purposes.set(requestId, String(data.purpose))
    if (type === 'request.refused')
      waiting.get(String(data.purpose))?.settle({ how: 'refused', error: data.error } as RequestEnd)
    if (type !== 'request.answered' && type !== 'request.failed') return
    const one = waiting.get(purposes.get(requestId) ?? '')
    const { requestId: _, ...said } = data
    purposes.delete(requestId)
    one?.settle({ how: type === 'request.answered' ? 'answered' : 'failed', ...said } as RequestEnd)
  }

  /** Settles waiting requests by the model. @returns the purposes found there */
  function lookAround(): Set<string> {
    const seen = new Set<string>()
    for (const request of Object.values(model().request)) {
      const { purpose, requestId } = request
      const one = waiting.get(purpose)
      if (!one) continue
      seen.add(purpose)
      if (isEnded(request)) one.settle(request.end)
      else purposes.set(requestId, purpose)
    }
    return seen
  }

  return {
    look(facts) {
      early = true
      if (waiting.size === 0) return
      for (const fact of facts) hear(fact)
      if (facts.length > 0) return
      const seen = lookAround()
      // An accepted request that the model does not have belongs to an erased log
      for (const [purpose, one] of waiting) if (one.taken && !seen.has(purpose)) one.fail(thrown.closed())
    },
    gaveUp: purpose => givenUp.has(purpose),
    ask(session, chain, call, expirySeconds) {
      return new Promise((resolve, reject) => {
        const params = paramsText(call.params)
        early = false
        const { ref, taken } = give({
          type: 'request.send',
          data: {
            sessionTopic: session.sessionTopic,
            chainId: chain,
            method: call.method,
            params,
            ...(expirySeconds === undefined ? {} : { expirySeconds }),
          },
        })
        const purpose = referenceText({ kind: 'page', id: ref })
        const one: Waiting = {
          taken: false,
          settle(end) {
            waiting.delete(purpose)
            resolve(requestResult(end, readKept))
          },
          fail(cause) {
            if (waiting.delete(purpose)) givenUp.add(purpose)
            reject(cause)
          },
        }
        waiting.set(purpose, one)
        if (early) lookAround()
        taken.then(
          () => {
            one.taken = true
          },
          (cause: unknown) => {
            // The core refuses an invalid command before it does anything
            const words = formRefusal(cause)
            one.fail(words === undefined ? thrown.notTaken() : thrown.badParams(words))
          },
        )
      })
    },
  }
}

/** @returns params as JSON text, `[]` for none. @throws ProviderError -32602 when JSON cannot represent them */
export function paramsText(params: unknown): string {
  const text = jsonOf(params ?? [])
  if (text === undefined) throw thrown.badParams('got what JSON cannot hold')
  return text
}

/** @returns a value as JSON text; undefined for one that JSON cannot hold */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // A cycle or a bigint
    return undefined
  }
}
