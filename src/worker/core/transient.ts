/** The core's scratch memory. Everything here may vanish at any moment; what must survive is a fact. */
import type { EffectType } from '../../events/effect.ts'
import type { OutsideInput } from '../../events/input.ts'
import type { SlotReading } from '../../events/sale/slots.ts'
import { seeded } from '../../runtime/core/generator.ts'
import { emptyMemory, type Memory } from '../../events/values/memory.ts'

/** An effect this life is waiting for, what it was about, and the page it was meant for. */
type EffectCause = { type: EffectType; about: string; tab?: string }

/** The memory of one life about one kind of reading. */
export type SlotWatch = {
  /** a reading that fits the known one not at all; the next one tells which of the two was wrong */
  suspect?: SlotReading
  /** a second reading has confirmed the known one */
  confirmed?: boolean
}

export type Transient = {
  /** state of the generator */
  random: [number, number, number, number]
  /** effects of this life that are still to be answered */
  asked: Record<string, EffectCause>
  /** ids made in this step's millisecond, so that payload ids never repeat */
  lastPayloadId: number
  lastCallId: string
  pages: Record<string, { visible: boolean; asking: string[]; answered: string[] }>
  relay: {
    /** sockets opened since the last one that lasted */
    attempt: number
    open: boolean
    /** when sockets were opened in the last minute, and the one that is open now, ms */
    opens: number[]
    openedAt: number
    /** last frame from the relay, ms */
    heardAt: number
    /** a test of the socket is under way since, ms; 0 when none is */
    probedAt: number
    /** relay calls under way: what they were for */
    calls: Record<string, RelayCall>
    /** hashes of messages handled in this life: the newest, and those before them */
    seen: Memory
  }
  /** more of the way to the relays */
  wire: {
    /** address of the socket that is open, opening, or was last */
    url: string
    /** whether openings of earlier lives are among `relay.opens` already */
    counted: boolean
    /** when the last link that waits for its turn gets it, ms */
    linkAt?: number
    /** when the latest link was opened */
    openedAt?: number
    /** messages that are being witnessed, and those that were, by call id */
    attested?: Record<string, 'asked' | 'done'>
    /** until then nothing waits for the verify service, which was silent, ms */
    witnessRestsUntil?: number
    /** messages that were never handed to a socket, by call id */
    unsent?: Record<string, true>
    /** messages that were let go of at the newest input at which any was */
    dropped?: { n: number; callIds: string[] }
    /** whether it was said that this device is offline */
    offline: boolean
    /** the file of the WalletConnect client could not be fetched, and no socket was opened since; `pressed`: a retry waits */
    unloaded?: { pressed: boolean }
    /** how often in a row a relay that refused topics was asked for them again, over this socket */
    listens?: number
    /** addresses that refused this page since somebody last asked for a new try */
    refused: string[]
    /** how often the relay answered a message by an error, by call id */
    errors: Record<string, number>
    /** messages whose topic is yet to be known */
    early: Extract<OutsideInput, { type: 'relay.message' }>['data'][]
    /** topics whose messages are to be fetched, the first ones under way when `fetching` is a call's id */
    missed: string[]
    fetching: string
    /** fetched over this socket */
    pages: number
  }
  /** payloads being sealed, by call id */
  sealing: Record<string, SealingMessage>
  /** the session that waits for the end of a call of ours, by the call's payload id */
  callers?: Record<string, string>
  sale: {
    failures: number
    noticeRef: string
    polls: number
    /** hash of the terms whose notice was read in this life */
    announced?: string
    /** when the notices were last read whole in this life, ms */
    noticesAt?: number
    /** what tells whether a reading's slot is believed */
    slots?: SlotWatch
  }
  /** the same of an account's balance, by account */
  balance: Record<string, SlotWatch>
  network: { failures: number }
  /** by order id */
  order: Record<string, OrderScratch>
}

export type RelayCall = {
  kind: 'subscribe' | 'subscribeOne' | 'unsubscribe' | 'publish' | 'fetch' | 'fetchOne'
  topics: string[]
  at: number
  /** of a subscription made because the socket is new: what was missed is fetched after it */
  first?: boolean
}

export type OrderScratch = {
  /** when the person last pressed for this order, ms; 0 after a restart */
  pressedAt: number
  tab: string
  checks: number
  misses: number
  /** the next check looks the order's reference up, and asks every endpoint for a proof */
  searchNext?: boolean
  /** when the transaction was built, ms; absent once the clock has jumped since, and in a later life */
  builtAt?: number
  /** the next proof is to tell of the blockhash, too: all else of it holds */
  asksBlockhash?: boolean
  /** looks in a row in which all agreed but the endpoints that do not answer */
  silentTries?: number
  /** looks in which not all endpoints say final what one does */
  finalTries?: number
  /** from when time is known to have passed: the build, this life's first check, or the last jump of the clock, ms */
  since?: number
  /** verdicts on transactions under the order's reference, by signature: the order it is, or a word for none */
  judged?: Record<string, string>
  /** what the check before asking or sending still waits for */
  gate?: { before: 'ask' | 'send'; waiting: string[]; height: number }
}

export type SealingMessage = {
  kind: 'publish' | 'propose'
  topic: string
  tag: number
  ttl: number
  prompt: boolean
  payloadId: string
  purpose?: string
  universal?: string
}

/** Scratch memory of a core that begins with this seed. */
export function freshTransient(seed: string, at: number): Transient {
  return {
    random: seeded(seed),
    asked: {},
    lastPayloadId: 0,
    lastCallId: '0',
    pages: {},
    relay: {
      attempt: 0,
      open: false,
      opens: [],
      openedAt: 0,
      heardAt: at,
      probedAt: 0,
      calls: {},
      seen: emptyMemory(),
    },
    wire: {
      url: '',
      counted: false,
      offline: false,
      refused: [],
      errors: {},
      early: [],
      missed: [],
      fetching: '',
      pages: 0,
    },
    sealing: {},
    sale: { failures: 0, noticeRef: '', polls: 0 },
    balance: {},
    network: { failures: 0 },
    order: {},
  }
}
