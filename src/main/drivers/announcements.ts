/** The wallets that are announced in this page: the app's side of the Wallet Standard, and the facts about it. */
import type { PageFact } from '../../events/app.ts'
import { toFailure } from '../../events/failure.ts'
import { type Announced, readAnnouncement } from './announced.ts'

/** An announced wallet under its key: its name, or `name #2` for another of that name. */
export type Known = Announced & { readonly walletKey: string }

export type Registry = {
  /** @returns the wallet with this key while it is here */
  byKey(walletKey: string): Known | undefined
  /** @returns the wallets of this name in the order they came */
  byName(name: string): Known[]
  /** Resolves with the wallets of this name as soon as there is one; with none after `waitMs`. */
  awaited(name: string, waitMs: number): Promise<Known[]>
  /** Stops hearing announcements. */
  close(): void
}

type Ports = {
  window: EventTarget
  say(fact: PageFact): void
  /** Hears every wallet that comes, and every one that goes. */
  came(wallet: Known): void
  went(wallet: Known): void
}

/** Wallets kept at a time. */
const presentLimit = 64
/** Announcements taken in the life of a page: one script that comes and goes for ever must not fill the log. */
const lifetimeLimit = 1000
/** Refusals written down in the life of a page. */
const refusalLimit = 16

/**
 * Hears announcements from the next microtask on, and asks then for those made before.
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function createRegistry({ window, say, came, went }: Ports): Registry {
  const present = new Map<object, Known>()
  const listeners = new Set<() => void>()
  const hearing = new AbortController()
  let taken = 0
  let refusals = 0
  let full = false

  function refuse(message: string): void {
    refusals += 1
    if (refusals <= refusalLimit) say({ type: 'installed.refused', data: { message } })
  }

  function hasRoom(): boolean {
    if (present.size < presentLimit && taken < lifetimeLimit) return true
    if (!full) {
      full = true
      const message = `this page expected at most ${presentLimit} wallets at a time, further ones are left out`
      say({ type: 'installed.refused', data: { message } })
    }
    return false
  }

  function take(wallet: unknown): void {
    if (hearing.signal.aborted || !hasRoom()) return
    if (typeof wallet === 'object' && wallet !== null && present.has(wallet)) return
    let announced: Announced
    try {
      announced = readAnnouncement(wallet)
    } catch (cause) {
      refuse(toFailure(cause).message)
      return
    }
    taken += 1
    const { name, features, chains } = announced
    const keys = new Set([...present.values()].map(known => known.walletKey))
    let walletKey = name
    for (let n = 2; keys.has(walletKey); n += 1) walletKey = `${name} #${n}`
    const twin = [...present.values()].some(known => looks(known.name) === looks(name))
    const known: Known = Object.freeze({ ...announced, walletKey })
    present.set(wallet as object, known)
    say({ type: 'installed.announced', data: { walletKey, name, features: [...features], chains: [...chains], twin } })
    came(known)
    for (const listener of listeners) listener()
  }

  function leave(wallet: unknown): void {
    const known = present.get(wallet as object)
    if (!known) return
    present.delete(wallet as object)
    full = false
    say({ type: 'installed.gone', data: { walletKey: known.walletKey } })
    went(known)
  }

  const api = Object.freeze({
    register: (...wallets: unknown[]) => {
      for (const wallet of wallets) take(wallet)
      return () => {
        for (const wallet of wallets) leave(wallet)
      }
    },
  })

  function begin(): void {
    if (hearing.signal.aborted) return
    window.addEventListener(
      'wallet-standard:register-wallet',
      event => {
        try {
          const callback = (event as CustomEvent<unknown>).detail
          if (typeof callback === 'function') Reflect.apply(callback, undefined, [api])
          else refuse(`a wallet announcement expected a function as its detail, got ${typeof callback}`)
        } catch {
          refuse('a wallet announcement failed while it was made')
        }
      },
      { signal: hearing.signal },
    )
    window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  }
  // The wallets that are here already answer at once; whoever makes this is given time to finish first
  queueMicrotask(begin)

  const byName = (name: string) => [...present.values()].filter(known => known.name === name)
  return {
    byKey: walletKey => [...present.values()].find(known => known.walletKey === walletKey),
    byName,
    awaited(name, waitMs) {
      const here = byName(name)
      if (here.length > 0) return Promise.resolve(here)
      return new Promise(resolve => {
        const done = () => {
          const found = byName(name)
          if (found.length === 0) return
          clearTimeout(timer)
          listeners.delete(done)
          resolve(found)
        }
        const timer = setTimeout(() => {
          listeners.delete(done)
          resolve([])
        }, waitMs)
        listeners.add(done)
      })
    },
    close: () => hearing.abort(),
  }
}

/** How a name reads to a person: without case and without variants of one letter. */
function looks(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
