/**
 * The provider's own calls to a session's wallet: ping, extend, emit.
 *
 * 1. The core ends each call: with the wallet's answer, its timeout or the relay's receipt. A fact settles its promise.
 * 2. After missed facts the model does: a call that it no longer has ended unheard.
 */
import type { CoreModel } from '../../events/app.ts'
import type { Command } from '../../events/command.ts'
import type { Failure } from '../../runtime/failure.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import { own } from '../../runtime/schema/own.ts'
import { ProviderError, thrown } from './providerError.ts'
import { formRefusal } from './refusedCommand.ts'

type CallCommand = Extract<Command, { type: 'session.ping' | 'session.extend' | 'session.emit' }>

type Ports = {
  model(): Pick<CoreModel, 'session'>
  give(command: Command): { ref: string; taken: Promise<void> }
}

type Calling = {
  /** Resolves once the call has ended well. @throws ProviderError */
  call(command: CallCommand): Promise<void>
  look(facts: readonly FactRecord[]): void
}

type Pending = { ref: string; topic: string; isTaken: boolean; payloadId?: string; end(cause?: ProviderError): void }

export function createCalling({ model, give }: Ports): Calling {
  const pending = new Set<Pending>()
  /** facts that arrive before `give` has returned the ref */
  let early: FactRecord[] | undefined

  function hear(mine: Pending, { type, ref, data }: FactRecord): void {
    if (type === 'session.called' && ref === mine.ref) mine.payloadId = String(data.payloadId)
    else if (type === 'session.refused' && ref === mine.ref)
      mine.end(new ProviderError(Number(data.code), String(data.message)))
    else if (type === 'session.callEnded' && data.payloadId === mine.payloadId)
      mine.end(data.failure ? errorOf(data.failure as Failure) : undefined)
    else if (type === 'session.deleted' && data.sessionTopic === mine.topic) mine.end(thrown.noSession(mine.topic))
  }

  function catchUp({ topic, payloadId = '', isTaken, end }: Pending): void {
    const open = own(model().session, topic)
    if (!open) return end(thrown.noSession(topic))
    if ((payloadId !== '' || isTaken) && !own(open.calls, payloadId)) end(thrown.callUnheard())
  }

  function look(facts: readonly FactRecord[]): void {
    if (early) return void early.push(...facts)
    for (const mine of pending) {
      if (facts.length === 0) catchUp(mine)
      else for (const fact of facts) hear(mine, fact)
    }
  }

  function call(command: CallCommand): Promise<void> {
    return new Promise((resolve, reject) => {
      early = []
      const { ref, taken } = give(command)
      const mine: Pending = {
        ref,
        topic: command.data.sessionTopic,
        isTaken: false,
        end(cause) {
          if (!pending.delete(mine)) return
          if (cause) reject(cause)
          else resolve()
        },
      }
      pending.add(mine)
      const before = early
      early = undefined
      if (before.length > 0) look(before)
      taken.then(
        () => void (mine.isTaken = true),
        (cause: unknown) => {
          const words = formRefusal(cause)
          mine.end(words === undefined ? thrown.notInitialized() : thrown.badCall(words))
        },
      )
    })
  }

  return { call, look }
}

function errorOf({ message, facts }: Failure): ProviderError {
  return new ProviderError(typeof facts?.code === 'number' ? facts.code : -32_603, message)
}
