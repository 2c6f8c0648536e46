/**
 * What the workers of one origin's tabs say to each other. Facts go to all tabs of one language at once; calls, answers and
 * prompts go by a channel of one tab, so that no other tab has to read them. No secret is ever said here.
 */
import type { Failure } from '../../events/failure.ts'
import type { FactRecord } from '../../events/log/record.ts'
import type { PageEffect } from '../../events/wire.ts'
import type { CallName } from './retryingCalls.ts'

/** A browser's channel, as far as it is used. */
export type Channel = Pick<BroadcastChannel, 'onmessage' | 'postMessage' | 'close'> & {
  /** The browser refuses channels: nothing is heard on this one and nothing said. */
  readonly isSilent: boolean
}

/** Opens a channel; a silent one where the browser refuses it, as Firefox does with site data blocked. */
export function openChannel(name: string): Channel {
  try {
    const channel = new BroadcastChannel(name)
    // Any script of this origin may say anything here: an error over it would end this worker
    channel.addEventListener('message', event => {
      if (typeof event.data !== 'object' || event.data === null) event.stopImmediatePropagation()
    })
    return Object.assign(channel, { isSilent: false })
  } catch {
    return { onmessage: null, postMessage: () => undefined, close: () => undefined, isSilent: true }
  }
}

/** Where workers of every build meet, for all time: its name and `Announced` never change. */
export const meetingName = 'mai-tabs'
/** `reply` asks for no further answer. */
export type Announced = { peer: string; tongue: string; leads: boolean; reply: boolean }

export const sharedName = (protocolVersion: string): string => `mai-tabs ${protocolVersion}`
/** From the leader to all, but for `join`, which asks whoever leads to speak on the tab's own channel. */
export type Shared =
  | { k: 'join'; from: string }
  | { k: 'lead'; from: string }
  /** After a death: the step of input `n` begins, or is over with 0. So the next leader knows which step this one ended in. */
  | { k: 'step'; from: string; n: number }
  | { k: 'facts'; from: string; facts: FactRecord[] }

export const ownName = (protocolVersion: string, peer: string): string => `mai-tabs ${protocolVersion} ${peer}`
/** What a follower may ask of the leader, beside the page's own calls. */
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
