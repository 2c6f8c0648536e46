/**
 * Messages between the workers of one origin's tabs.
 *
 * 1. Facts go once to all tabs of one protocol version. Calls, answers and prompts go by a channel of one tab, so that no
 *    other tab has to read them.
 * 2. No secret goes through a channel.
 * 3. Any script of the origin may post anything: a message that does not fit changes nothing.
 */
import type { Failure } from '../../events/failure.ts'
import type { FactRecord } from '../../events/log/record.ts'
import type { PageEffect } from '../../events/wire.ts'
import type { CallName } from './retryingCalls.ts'

/** The part of a browser's channel that is used. */
export type Channel = Pick<BroadcastChannel, 'onmessage' | 'postMessage' | 'close'> & {
  /** The browser refuses channels: this one neither sends nor receives. */
  readonly isSilent: boolean
}

/** Opens a channel; a silent one where the browser refuses it, as Firefox does with site data blocked. */
export function openChannel(name: string): Channel {
  try {
    const channel = new BroadcastChannel(name)
    // A listener that throws would end this worker
    channel.addEventListener('message', event => {
      if (typeof event.data !== 'object' || event.data === null) event.stopImmediatePropagation()
    })
    return Object.assign(channel, { isSilent: false })
  } catch {
    return { onmessage: null, postMessage: () => undefined, close: () => undefined, isSilent: true }
  }
}

/** The channel on which workers of every build meet. Its name and the first four fields of `Announced` never change. */
export const meetingName = 'mai-tabs'
export type Announced = {
  peer: string
  /** protocol version of the sender */
  tongue: string
  /** whether the sender has the core, or is opening it */
  leads: boolean
  /** an answer: it asks for no further one */
  reply: boolean
  /** of a leader: whether an order is open; absent while its core opens, and from builds before handover */
  busy?: boolean
  /** asks the leader of this name to hand the lead over */
  asks?: string
  /** the sender has stopped its core: the peer of this name may take the lead */
  yieldsTo?: string
}

export const sharedName = (protocolVersion: string): string => `mai-tabs ${protocolVersion}`
/** From the leader to all, but for `join`, which asks the leader to speak on the tab's own channel. */
export type Shared =
  | { k: 'join'; from: string }
  | { k: 'lead'; from: string }
  /** The step of input `n` begins, or ends with 0. After a death the next leader knows by it which step was the last. */
  | { k: 'step'; from: string; n: number }
  | { k: 'facts'; from: string; facts: FactRecord[] }

export const ownName = (protocolVersion: string, peer: string): string => `mai-tabs ${protocolVersion} ${peer}`
/** A follower's requests to the leader, beside the page's own calls. */
export type Asked = CallName | 'ping' | 'left'
export type ToLeader =
  | { k: 'call'; to: string; id: number; name: Asked; args: readonly unknown[]; again: boolean }
  | { k: 'performed'; to: string; id: number; ok: boolean }
export type ToFollower = { from: string } & (
  | { k: 'opening' }
  | { k: 'welcome'; life: number; genesisHash: string }
  | { k: 'answer'; id: number; value: unknown }
  | { k: 'refused'; id: number; failure: Failure }
  | { k: 'perform'; id: number; effect: PageEffect }
  | { k: 'detached' }
  | { k: 'restart'; erased: boolean }
)
/** The leader's answer to `ping`. */
export type Pong = { life: number; seq: number }
