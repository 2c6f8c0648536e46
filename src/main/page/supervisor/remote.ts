/**
 * Calls into the worker with deadlines. A call to a dead worker would stay pending for ever, so when the worker is given
 * up every pending call is rejected with `core_lost`.
 */
import {
  type Endpoint,
  expose,
  proxy,
  type Remote,
  releaseProxy,
  type TransferHandler,
  transferHandlers,
  wrap,
} from 'comlink'
import { Fault } from '../../../events/failure.ts'
import type { ChainAnswer, Core, PagePort } from '../../../events/wire.ts'
import { onlyNamed, passNamedCalls } from '../../../worker/host/namedCalls.ts'

const deadlineMs = 10_000
/** With a ping every 2 s, a worker that froze is given up within 7 s, ms. */
const pingMs = 4500
/** Four tries of 10 s each and the waits between them, or what a server asked for, ms. */
const readMs = 75_000
/** The first call also waits for the worker's script to arrive, ms. */
const firstMs = 30_000

/** The worker gets a port to the page's functions, through which nothing but calls of these comes. */
const plain = transferHandlers.get('proxy') as TransferHandler<PagePort, MessagePort>
transferHandlers.set('proxy', {
  ...plain,
  serialize(page: PagePort) {
    const { port1, port2 } = new MessageChannel()
    const names = Object.keys(page) as (keyof PagePort)[]
    passNamedCalls(port1, names, { mayRelease: true })
    expose(onlyNamed(page, names), port1)
    return [port2, [port2]]
  },
} satisfies TransferHandler<PagePort, MessagePort>)

export type RemoteCore = {
  core: Core
  /** Whether the worker has said anything yet: from then on it must answer pings. */
  heard(): boolean
  /** Number of the input in whose step the worker is, as far as it could tell; 0 for none. */
  inStep(): number
  /** Gives the worker up: ends it and rejects what is pending. */
  lose(reason: string): void
}

/** Wraps a worker. Only `standing` may take for ever: another tab may have the core as long as it is open. */
export function createRemote(worker: Endpoint & Pick<Worker, 'terminate'>): RemoteCore {
  const remote: Remote<Core> = wrap<Core>(worker)
  let heard = false
  let step = 0
  // Bare numbers are the inbox's: which input's step begins, and 0 when it is over
  worker.addEventListener('message', event => {
    heard = true
    const { data } = event as MessageEvent<unknown>
    if (typeof data === 'number') step = data
  })
  const pending = new Set<(cause: Fault) => void>()
  let lost: Fault | undefined

  function call<T>(what: string, run: () => Promise<T>, limitMs: number | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (lost) return reject(lost)
      const settle = () => {
        clearTimeout(timer)
        pending.delete(fail)
      }
      const fail = (cause: Fault) => {
        settle()
        reject(cause)
      }
      const timer =
        limitMs === undefined
          ? undefined
          : setTimeout(
              () => fail(new Fault('timeout', `${what} expected an answer within ${limitMs} ms, got none`)),
              limitMs,
            )
      pending.add(fail)
      run().then(
        value => {
          settle()
          resolve(value)
        },
        (cause: unknown) => {
          settle()
          reject(cause)
        },
      )
    })
  }

  const port = (page: PagePort) => proxy(page) as unknown as PagePort
  const core: Core = {
    begin: (config, hello, cause) => call('begin', () => remote.begin(config, hello, cause), firstMs),
    standing: known => call('standing', () => remote.standing(known), undefined),
    attach: (hello, page) => call('attach', () => remote.attach(hello, port(page)), deadlineMs),
    command: (command, ref, tab) => call('command', () => remote.command(command, ref, tab), deadlineMs),
    answer: (id, answer, tab) => call('answer', () => remote.answer(id, answer, tab), deadlineMs),
    pageFacts: records => call('pageFacts', () => remote.pageFacts(records), deadlineMs),
    lifecycle: (change, tab) => call('lifecycle', () => remote.lifecycle(change, tab), deadlineMs),
    pairingUri: topic => call('pairingUri', () => remote.pairingUri(topic), deadlineMs),
    answerText: ref => call('answerText', () => remote.answerText(ref), deadlineMs),
    readChain: question => call('readChain', () => remote.readChain(question) as Promise<ChainAnswer>, readMs),
    recording: tail => call('recording', () => remote.recording(tail), 60_000),
    erase: (tab, sure) => call('erase', () => remote.erase(tab, sure), deadlineMs),
    ready: () => call('ready', () => remote.ready(), 30_000),
    takeOver: () => call('takeOver', () => remote.takeOver(), deadlineMs),
    ping: () => call('ping', () => remote.ping(), pingMs),
  }

  return {
    core,
    heard: () => heard,
    inStep: () => step,
    lose(reason) {
      if (lost) return
      lost = new Fault('core_lost', `the worker is gone: ${reason}`)
      for (const reject of pending) reject(lost)
      worker.terminate()
      remote[releaseProxy]()
    },
  }
}
