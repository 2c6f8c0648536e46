/**
 * Messages between the workers of one origin's tabs.
 *
 * 1. Facts go once to all tabs of one protocol version. Calls and prompts go by the two channels of one leader and one
 *    follower, so that no other tab has to read them.
 * 2. No secret goes through a channel.
 * 3. Any script of the origin may post anything: a message that does not fit changes nothing.
 * 4. A change of meaning raises the number in `messagesVersion.ts`.
 */
import type { FactRecord } from '../log/record.ts'
import { type AnyCalls, type AnyPort, type AttachedTo, type CallTable, type Hello, namesOfCore } from '../wire.ts'

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

/** The two ends of a pair. A leader that was replaced has other channels, so its answers reach no follower. */
type Pair = { protocolVersion: string; leader: string; follower: string }

/** Names of the channels of a product's tabs. */
export type ChannelNames = ReturnType<typeof channelNames>

export function channelNames(product: string) {
  const meeting = `${product}-tabs`
  return {
    /** Workers of every build meet here. Its name and the first four fields of `TabNotice` never change. */
    meeting,
    /** from a leader to all followers */
    shared: (protocolVersion: string): string => `${meeting} ${protocolVersion}`,
    /** from a leader to one follower: its greetings */
    own: (protocolVersion: string, peer: string): string => `${meeting} ${protocolVersion} ${peer}`,
    /** carries the follower's calls of the core */
    calls: ({ protocolVersion, leader, follower }: Pair): string =>
      `${meeting} ${protocolVersion} ${leader} calls ${follower}`,
    /** carries the leader's calls of the follower's page */
    page: ({ protocolVersion, leader, follower }: Pair): string =>
      `${meeting} ${protocolVersion} ${leader} page ${follower}`,
  }
}

/** Between workers of every build. */
export type TabNotice = {
  peer: string
  /** protocol version of the sender */
  tongue: string
  /** whether the sender has the core, or is opening it */
  leads: boolean
  /** an answer: it asks for no further one */
  reply: boolean
  /** of a leader: whether it must not be interrupted; absent while its core opens, and from builds before handover */
  busy?: boolean
  /** asks the leader of this name to hand the lead over */
  asks?: string
  /** the sender has stopped its core: the peer of this name may take the lead */
  yieldsTo?: string
}

/** From the leader to all, but for `join`, which asks the leader to speak on the tab's own channel. */
export type Shared =
  | { k: 'join'; from: string }
  | { k: 'lead'; from: string }
  /** The step of input `n` begins, or ends with 0. After a death the next leader knows by it which step was the last. */
  | { k: 'step'; from: string; n: number }
  | { k: 'facts'; from: string; facts: FactRecord[] }

/** From a leader to one follower, on the follower's own channel. `log` names the log of its core. */
export type Greeting = { from: string } & ({ k: 'opening' } | { k: 'welcome'; life: number; log: string })

/** The leader's answer to `ping`. */
type Pong = { life: number; seq: number }
/**
 * The core as a follower reaches it: the calls of the core but for secret ones, and two of its own. Comlink carries them over
 * a BroadcastChannel, which takes no MessagePort: so `attach` has no port, and the page's calls have a channel of their own.
 */
export type LeaderCalls = Omit<AnyCalls, 'attach'> & {
  attach(hello: Hello): Promise<AttachedTo<any>>
  ping(): Promise<Pong>
  /** The page misses facts: it gets none before it attaches again. */
  left(tab: string): Promise<void>
}

/** @returns names of the calls that go through a channel */
export function leaderCallNames(table: CallTable): (keyof LeaderCalls)[] {
  return [...namesOfCore(table).filter(name => !table[name]?.secret), 'ping', 'left'] as (keyof LeaderCalls)[]
}

/** The part of a page's port that is a follower's own. Facts go to all tabs, and each worker meets other builds itself. */
export type FollowerPort = Pick<AnyPort, 'perform' | 'detached' | 'restart'>
export const followerPortNames = ['perform', 'detached', 'restart'] as const
