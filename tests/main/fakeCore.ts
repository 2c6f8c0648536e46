/** A small worker behind a real channel: comlink on both sides, and a core under the test's control. */
import { expose } from 'comlink'
import type { CoreModel } from '../../src/events/app.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { FactRecord, SentPageFact } from '../../src/runtime/log/record.ts'
import type { Core, PageHello, PagePort } from '../../src/events/wire.ts'
import type { CoreWorker } from '../../src/runtime/page/pageTypes.ts'

export type FakeCore = {
  worker: CoreWorker
  hellos: PageHello[]
  causes: string[]
  beginnings: PageHello[]
  commands: { type: string; ref: string; again?: true }[]
  answers: { id: string; type: string }[]
  shipped: SentPageFact[]
  port(): PagePort
  terminated(): boolean
  /** Stops answering, without an event. */
  freeze(): void
  /** Reports by a bare number which input's step begins; 0 ends it. */
  steps(n: number): void
  /** Ends as a crashed worker does: by an event, with every call left open. Without a message its script was not run. */
  crash(message?: string): void
}

/** @param over overrides its calls; `storage` of its log, durable by default */
export function createFakeCore(life: number, over: Partial<Core> & { storage?: 'durable' | 'memory' } = {}): FakeCore {
  const { port1, port2 } = new MessageChannel()
  const { storage, ...calls } = over
  let frozen = false
  let gone = false
  const hellos: PageHello[] = []
  const causes: string[] = []
  const beginnings: PageHello[] = []
  const commands: FakeCore['commands'] = []
  const answers: FakeCore['answers'] = []
  const shipped: SentPageFact[] = []
  let port: PagePort | undefined

  const attached = { life, seq: 0, model: modelWith(storage) }
  const core: Core = {
    begin: async (_config, hello, cause) => {
      beginnings.push(hello)
      causes.push(cause)
    },
    standing: async () => 'joined',
    command: async ({ type }, ref, _, again) => void commands.push({ type, ref, ...(again && { again }) }),
    answer: async (id, answer) => void answers.push({ id, type: answer.type }),
    pageFacts: async records => void shipped.push(...records),
    lifecycle: async () => undefined,
    pairingUri: async () => undefined,
    answerText: async () => undefined,
    readChain: async () => ({ result: null }),
    recording: async () => '',
    erase: async () => true,
    ready: async () => true,
    takeOver: async () => 'taken',
    ping: async () => life,
    ...calls,
    async attach(hello, given) {
      hellos.push(hello)
      port = given
      return over.attach ? over.attach(hello, given) : attached
    },
  }
  // A frozen worker reads no messages
  const end = {
    addEventListener(type: 'message', listener: (event: MessageEvent) => void) {
      port2.addEventListener(type, event => {
        if (!frozen) listener(event)
      })
    },
    removeEventListener: () => undefined,
    postMessage: (message: unknown, transfer: Transferable[]) => port2.postMessage(message, transfer),
    start: () => port2.start(),
  }
  expose(core, end as never)

  const worker = Object.assign(port1 as unknown as CoreWorker, {
    onerror: null,
    onmessageerror: null,
    terminate() {
      gone = true
      frozen = true
      port1.close()
      port2.close()
    },
  })
  return {
    worker,
    hellos,
    causes,
    beginnings,
    commands,
    answers,
    shipped,
    port() {
      if (!port) throw new Error('no page has joined')
      return port
    },
    terminated: () => gone,
    freeze() {
      frozen = true
    },
    steps: n => port2.postMessage(n),
    crash(message) {
      frozen = true
      const { onerror } = worker as { onerror: ((event: ErrorEvent) => void) | null }
      onerror?.({ message, preventDefault: () => undefined } as ErrorEvent)
    },
  }
}

function modelWith(storage: 'durable' | 'memory' = 'durable'): CoreModel {
  const model = emptyCoreModel()
  model.core.storage = storage
  return model
}

export const fact = (seq: number): FactRecord => ({
  k: 'f',
  seq,
  n: seq,
  at: 1,
  type: 'core.faulted',
  v: 1,
  data: { input: 'page.resumed', message: 'y' },
})
