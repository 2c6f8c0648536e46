/**
 * Links between this page and a wallet's app on the same device, in both directions. The device guarantees nothing: links are
 * lost, duplicated, delayed, reordered, damaged, or sent to another topic.
 */
import type { EffectData, OutgoingPayload } from '../../src/events/effect.ts'
import type { Tab } from './browser.ts'
import type { Answered } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './runtime/queue.ts'
import { type Payload, type Relay, unreadableKey } from './relay.ts'

/** This page's universal link, and that of the wallet on this device. */
export const ours = 'https://mai.example/app'
export const theirs = 'https://lantern.example/app'
export const willing = { universal: theirs, linkMode: true } as const

/** The vault's failures for an envelope without a known key, and for a forged one. */
const noKey = 'no key for this topic'
const unsealed = 'link envelope expected type 0 or 1, got type 2, which nobody sealed'
const unread = 'a link to this page expected wc_ev to be base64url'

/** Content of a link, as the core takes it. */
type Message = { type: string; data: Record<string, unknown> }

type Ports = {
  queue: Queue
  dice: Dice
  relay(): Relay
  /** An open page gives this link to the core; `stored` is called once its message is on disk. @returns none without a page */
  give(url: string, stored: () => void): Tab | undefined
  isOpen(tab: Tab): boolean
  /** The device sometimes opens the link in a new page. */
  openTab(): void
  /** A message reached the wallet's app. */
  heard(topic: string, payload: OutgoingPayload): void
  wrong(what: string): void
}

export function createLinks({ queue, dice, relay, give, isOpen, openTab, heard, wrong }: Ports) {
  /** topics whose last message to the wallet came by a link */
  const byLink = new Set<string>()
  /** messages with which a page opened the wallet, in any life */
  const opened = new Set<string>()
  /** reads a link's message, by its address */
  const contents = new Map<string, () => Message>()
  /** the page that has the end of a session in a link, until it is on disk */
  const ends = new Map<string, Tab>()
  let count = 0

  /** Delivers a link, once or twice, now or later. A session's end is not lost: it does not come again. */
  function carry(payload: Payload | OutgoingPayload, run: () => void): void {
    const isEnd = 'kind' in payload && payload.kind === 'delete'
    if (!isEnd && dice.strikes('link.lost')) return
    queue.after(dice.strikes('link.late') ? dice.between('late link', 1000, 90_000) : 300, 'outside', run)
    if (dice.strikes('link.twice')) queue.after(dice.between('link again', 0, 20_000), 'outside', run)
  }

  /** The device opens a link in a page, as soon as there is one. @param end topic of the session that the link ends */
  function handIn(read: () => Message, end?: string): void {
    count += 1
    const url = `link-${count}`
    contents.set(url, read)
    const attempt = () => {
      const tab = give(url, () => void (end !== undefined && ends.delete(end)))
      if (!tab) return queue.after(1000, 'outside', attempt)
      if (end !== undefined) ends.set(end, tab)
    }
    attempt()
  }

  function message(topic: string, payload: Payload, hash: string, isSealed = true): void {
    handIn(
      () => {
        const { keys, isPartial } = relay().vault()
        if (isPartial && !keys.has(topic)) return { type: 'link.unread', data: { message: unreadableKey } }
        const canOpen = isSealed && keys.has(topic) && (payload.kind === 'delete' || !dice.strikes('vault.cannotOpen'))
        const said: Payload = canOpen ? { ...payload, verified: 'VALID' } : unopened(isSealed ? noKey : unsealed)
        const data = { pushId: '', topic, hash, publishedAt: queue.now(), tag: 0, payload: said, link: true }
        return { type: 'relay.message', data }
      },
      isSealed && payload.kind === 'delete' ? topic : undefined,
    )
  }

  return {
    /** Whether the wallet answers on this topic by links. */
    goesBy: (topic: string) => byLink.has(topic),
    note(topic: string, isByLink: boolean): void {
      if (isByLink) byLink.add(topic)
      else byLink.delete(topic)
    },
    /** Reads the message in a link that a page gave to the core. */
    read(url: string): Message {
      const read = contents.get(url)
      if (!read) throw new Error(`the core is given the link ${url}, which nothing opened`)
      return read()
    },
    /** Whether the end of this session was in a link whose page is gone. */
    isLost(topic: string): boolean {
      const tab = ends.get(topic)
      return tab !== undefined && !isOpen(tab)
    },
    /** Opens the wallet with a message. */
    open({ visible }: Tab, { callId, messageRef, universal }: EffectData['link.send']): Answered {
      const skipped = (why: string): Answered => ({ type: 'link.skipped', data: { why } })
      const sealed = relay().vault().sealed.get(messageRef)
      if (!sealed || universal !== theirs || dice.strikes('link.opensNoWallet')) return skipped('refused')
      if (!visible) return skipped('noFocus')
      if (dice.strikes('link.noPress')) return skipped('noPress')
      if (opened.has(callId)) wrong(`a wallet is opened a second time with the message ${callId}`)
      opened.add(callId)
      const { topic, payload } = sealed
      carry(payload, () => {
        byLink.add(topic)
        heard(topic, payload)
      })
      return { type: 'link.opened', data: {} }
    },
    /** The wallet opens this page with a message. */
    hand(topic: string, payload: Payload): void {
      count += 1
      const hash = `link-hash-${count}`
      carry(payload, () => {
        if (!dice.isCalm() && dice.chance('a page of its own', 0.1)) openTab()
        message(topic, payload, hash)
      })
    },
    /** Invalid and foreign links. */
    disturb(): void {
      if (dice.strikes('link.garbled')) return handIn(() => ({ type: 'link.unread', data: { message: unread } }))
      const topics = [...relay().topics]
      if (topics.length === 0 || !dice.strikes('link.forged')) return
      count += 1
      const topic = dice.oneOf('forged for', topics)
      // Unencrypted, as this page's own first request is
      message(topic, { kind: 'delete', id: `${queue.now()}999` }, `forged-${count}`, false)
    },
  }
}
export type Links = ReturnType<typeof createLinks>

/** A received envelope that could not be opened. */
export function unopened(message: string): Payload {
  return { kind: 'unopened', id: '0', error: { code: 0, message } }
}
