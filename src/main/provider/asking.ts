/** Requests of this page to wallets, each a promise that the facts settle: whatever dies meanwhile, the answer comes by them. */
import type { CoreModel } from '../../events/app.ts'
import type { Command } from '../../events/command.ts'
import type { WalletRequest } from '../../events/subjects/request.ts'
import type { Session } from '../../events/subjects/session.ts'
import type { Call } from './callsStatus.ts'
import { type ProviderError, thrown } from './providerError.ts'
import { type ReadKept, resultOf } from './requestEnd.ts'

type Ports = {
  model(): Pick<CoreModel, 'request'>
  give(command: Command): { ref: string; taken: Promise<void> }
  readKept: ReadKept
}

export type Asking = {
  /** @returns the wallet's result @throws ProviderError */
  ask(session: Session, chain: string, call: Call, expirySeconds?: number): Promise<unknown>
  /** Facts were folded; `joined` when all there is came anew. */
  look(joined: boolean): void
}

type Waiting = { settle(request: WalletRequest): void; fail(cause: ProviderError): void; taken: boolean }

export function createAsking({ model, give, readKept }: Ports): Asking {
  /** by the purpose of the request */
  const waiting = new Map<string, Waiting>()

  function look(joined: boolean): void {
    if (waiting.size === 0) return
    const seen = new Set<string>()
    for (const request of Object.values(model().request)) {
      const one = waiting.get(request.purpose)
      if (!one) continue
      seen.add(request.purpose)
      if (request.phase === 'ended') one.settle(request)
    }
    // What was taken and is not there belongs to a record that was erased
    if (joined) for (const [purpose, one] of waiting) if (one.taken && !seen.has(purpose)) one.fail(thrown.closed())
  }

  return {
    look,
    ask(session, chain, call, expirySeconds) {
      return new Promise((resolve, reject) => {
        const { ref, taken } = give({
          type: 'request.send',
          data: {
            sessionTopic: session.sessionTopic,
            chainId: chain,
            method: call.method,
            params: paramsText(call.params),
            ...(expirySeconds === undefined ? {} : { expirySeconds }),
          },
        })
        const purpose = `page:${ref}`
        const one: Waiting = {
          taken: false,
          settle({ end }) {
            waiting.delete(purpose)
            if (end) resolve(resultOf(end, readKept))
            else reject(thrown.answerGone())
          },
          fail(cause) {
            waiting.delete(purpose)
            reject(cause)
          },
        }
        waiting.set(purpose, one)
        // Facts may be quicker than this line
        look(false)
        taken.then(
          () => {
            one.taken = true
          },
          (cause: unknown) => {
            // A command that does not fit its form is refused before anything happens
            const words = cause instanceof Error ? /^request\.send: (.+)$/s.exec(cause.message)?.[1] : undefined
            one.fail(words === undefined ? thrown.notTaken() : thrown.badParams(words))
          },
        )
      })
    },
  }
}

function paramsText(params: unknown): string {
  try {
    return JSON.stringify(params ?? [])
  } catch {
    throw thrown.badParams('got what JSON cannot hold')
  }
}
