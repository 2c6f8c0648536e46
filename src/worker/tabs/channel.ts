/**
 * Messages between the workers of one origin's tabs.
 *
 * 1. Facts go once to all tabs of one protocol version. Calls and prompts go by the two channels of one leader and one
 *    follower, so that no other tab has to read them.
 * 2. No secret goes through a channel.
 * 3. Any script of the origin may post anything: a message that does not fit changes nothing.
 */
import type { FactRecord } from '../../runtime/log/record.ts'
import { type Attached, coreCall, type CoreName, coreNames, type PageHello, type PagePort } from '../../events/wire.ts'
import type { Calls } from '../host/calls/calls.ts'

/** The part of a browser's channel that is used. A closed one sends nothing. */
export type Channel = Pick<
  BroadcastChannel,
  'onmessage' | 'postMessage' | 'close' | 'addEventListener' | 'removeEventListener'
> & {
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
    let closed = false
    return Object.assign(channel, {
      isSilent: false,
      postMessage(message: unknown) {
        if (!closed) BroadcastChannel.prototype.postMessage.call(channel, message)
      },
      close() {
        closed = true
        BroadcastChannel.prototype.close.call(channel)
      },
    })
  } catch {
    const nothing = () => undefined
    return {
      onmessage: null,
      postMessage: nothing,
      close: nothing,
      addEventListener: nothing,
      removeEventListener: nothing,
      isSilent: true,
    }
  }
}

/** The channel on which workers of every build meet. Its name and the first four fields of `Announced` never change. */
export const meetingName = 'mai-tabs'
export type TabNotice = {
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
/** From a leader to one follower, on the follower's own channel. */
export type Greeting = { from: string } & ({ k: 'opening' } | { k: 'welcome'; life: number; genesisHash: string })

/** The two ends of a pair. A leader that was replaced has other channels, so its answers reach nobody. */
type Pair = { protocolVersion: string; leader: string; follower: string }
/** Carries the follower's calls of the core. */
export const callsName = ({ protocolVersion, leader, follower }: Pair): string =>
  `mai-tabs ${protocolVersion} ${leader} calls ${follower}`
/** Carries the leader's calls of the follower's page. */
export const pageName = ({ protocolVersion, leader, follower }: Pair): string =>
  `mai-tabs ${protocolVersion} ${leader} page ${follower}`

/** The leader's answer to `ping`. */
type Pong = { life: number; seq: number }
/**
 * The core as a follower reaches it: the calls of `coreCalls` but for secrets, and two of its own. Comlink carries them over
 * a BroadcastChannel, which takes no MessagePort: so `attach` has no port, and the page's calls have a channel of their own.
 */
export type LeaderCalls = Omit<Calls, 'attach' | 'pairingUri'> & {
  attach(hello: PageHello): Promise<Attached>
  ping(): Promise<Pong>
  /** The page misses facts: it gets none before it attaches again. */
  left(tab: string): Promise<void>
}
const open = coreNames.filter((name): name is Exclude<CoreName, 'pairingUri'> => !coreCall(name).secret)
export const leaderCallNames: readonly (keyof LeaderCalls)[] = [...open, 'ping', 'left']

/** The part of a page's port that is a follower's own. Facts go to all tabs, and each worker meets other builds itself. */
export type FollowerPort = Pick<PagePort, 'perform' | 'detached' | 'restart'>
export const followerPortNames = ['perform', 'detached', 'restart'] as const
