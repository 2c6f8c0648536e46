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

type Ports = {
  queue: Queue
  dice: Dice
  relay(): Relay
  /** Submits a draft to the core as if a link had opened a page. @returns false without a core */
  take(draft: { type: string; data: Record<string, unknown>; ref: string }): boolean
  /** The device sometimes opens the link in a new page. */
  openTab(): void
  /** A message reached the wallet's app. */
  heard(topic: string, payload: OutgoingPayload): void
  wrong(what: string): void
}

export function createLinks({ queue, dice, relay, take, openTab, heard, wrong }: Ports) {
  /** topics whose last message to the wallet came by a link */
  const byLink = new Set<string>()
  /** messages with which a page opened the wallet, in any life */
  const opened = new Set<string>()
  let count = 0

  /** Delivers a link, once or twice, now or later. */
  function carry(run: () => void): void {
    if (dice.strikes('link.lost')) return
    queue.after(dice.strikes('link.late') ? dice.between('late link', 1000, 90_000) : 300, 'outside', run)
    if (dice.strikes('link.twice')) queue.after(dice.between('link again', 0, 20_000), 'outside', run)
  }

  /** A host submits a link until a core takes it. */
  function handIn(read: () => { type: string; data: Record<string, unknown> }): void {
    count += 1
    const ref = `link-${count}`
    const attempt = () => {
      if (!take({ ...read(), ref })) queue.after(1000, 'outside', attempt)
    }
    attempt()
  }

  function message(topic: string, payload: Payload, hash: string, isSealed = true): void {
    handIn(() => {
      const { keys, isPartial } = relay().vault()
      if (isPartial && !keys.has(topic)) return { type: 'link.unread', data: { message: unreadableKey } }
      const canOpen = isSealed && keys.has(topic) && !dice.strikes('vault.cannotOpen')
      const said: Payload = canOpen ? { ...payload, verified: 'VALID' } : unopened(isSealed ? noKey : unsealed)
      const data = { pushId: '', topic, hash, publishedAt: queue.now(), tag: 0, payload: said, link: true }
      return { type: 'relay.message', data }
    })
  }

  return {
    /** Whether the wallet answers on this topic by links. */
    goesBy: (topic: string) => byLink.has(topic),
    note(topic: string, isByLink: boolean): void {
      if (isByLink) byLink.add(topic)
      else byLink.delete(topic)
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
      carry(() => {
        byLink.add(topic)
        heard(topic, payload)
      })
      return { type: 'link.opened', data: {} }
    },
    /** The wallet opens this page with a message. */
    hand(topic: string, payload: Payload): void {
      count += 1
      const hash = `link-hash-${count}`
      carry(() => {
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
