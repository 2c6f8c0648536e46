/** Listens between a page and its worker: sent calls and their returns. */
import type { CoreWorker } from '../../../src/runtime/page/pageTypes.ts'

/** A call in transit: its arguments without those that cannot be cloned. */
export type Crossing = { name: string; args: unknown[] }

type Ears = {
  sent(call: Crossing): void
  /** The call returned without an error. */
  settled(call: Crossing, value: unknown): void
}

/** Messages of comlink in both directions. @see comlink 4.4, `MessageType` and `WireValueType` */
type Posted = { id?: string; type?: string; path?: string[]; argumentList?: { type: string; value?: unknown }[] }
type Returned = { id?: string; type?: string; name?: string; value?: unknown }

/** @returns the worker as its page uses it */
export function tapped(worker: Worker, ears: Ears): CoreWorker {
  const calls = new Map<string, Crossing>()
  worker.addEventListener('message', ({ data }: MessageEvent<Returned | number>) => {
    // A bare number is no call but announces a step
    if (typeof data === 'number') return
    const call = data.id === undefined ? undefined : calls.get(data.id)
    if (!call || data.id === undefined) return
    calls.delete(data.id)
    if (data.name !== 'throw') ears.settled(call, data.value)
  })
  return {
    postMessage(message: Posted, transfer?: Transferable[]) {
      worker.postMessage(message, transfer ?? [])
      const [name] = message.path ?? []
      if (message.type !== 'APPLY' || name === undefined || message.id === undefined) return
      const args = (message.argumentList ?? []).map(({ type, value }) => (type === 'RAW' ? value : undefined))
      const call = { name, args }
      calls.set(message.id, call)
      ears.sent(call)
    },
    addEventListener: worker.addEventListener.bind(worker),
    removeEventListener: worker.removeEventListener.bind(worker),
    terminate: () => worker.terminate(),
    get onerror() {
      return worker.onerror
    },
    set onerror(handler) {
      worker.onerror = handler
    },
    get onmessageerror() {
      return worker.onmessageerror
    },
    set onmessageerror(handler) {
      worker.onmessageerror = handler
    },
  } as CoreWorker
}
