/**
 * The wallets that are announced in this page: the app's side of the Wallet Standard, and the facts about it.
 *
 * 1. Any script may announce a wallet under any name and picture. Nothing in an announcement proves who made it.
 * 2. Wallets whose names look alike are all marked, whoever came first, for as long as there is more than one of them.
 * 3. Before names were compared by Unicode's table, and for good where it cannot be loaded, any two may look alike.
 */
import type { PageFact } from '../../events/app.ts'
import { toFailure } from '../../events/failure.ts'
import { type Announced, readAnnouncement } from './announced.ts'

/** An announced wallet under its key: its name, or `name #2` for another of that name. */
export type Known = Announced & { readonly walletKey: string }

export type Registry = {
  /** @returns the wallet with this key while it is here */
  byKey(walletKey: string): Known | undefined
  /** @returns the wallets whose name looks like this one; undefined while names cannot be compared */
  alike(name: string): Known[] | undefined
  /** Resolves when names have been compared, or cannot be. */
  compared(): Promise<void>
  /** Resolves when a wallet of this name is here, or `waitMs` have passed, and names have been compared. */
  awaited(name: string, waitMs: number): Promise<void>
  /** Stops hearing announcements. */
  close(): void
}

type Ports = {
  window: EventTarget
  say(fact: PageFact): void
  /** Hears that wallets came or went, or that their names were compared. */
  changed(): void
  went(wallet: Known): void
}

/** Names that have a skeleton in common look alike. */
type SkeletonsOf = (name: string) => readonly string[]

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
export function createRegistry({ window, say, changed, went }: Ports): Registry {
  const present = new Map<object, Known>()
  const listeners = new Set<() => void>()
  const hearing = new AbortController()
  let taken = 0
  let refusals = 0
  let full = false
  let marked = ''
  let isMarking = false
  let skeletonsOf: SkeletonsOf | undefined
  const skeletonsBy = new Map<string, readonly string[]>()
  let comparing: Promise<void> | undefined

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
    const { name, features, chains, identity } = announced
    const keys = new Set([...present.values()].map(known => known.walletKey))
    let walletKey = name
    for (let n = 2; keys.has(walletKey); n += 1) walletKey = `${name} #${n}`
    const known: Known = Object.freeze({ ...announced, walletKey })
    present.set(wallet as object, known)
    const twin = twins().includes(walletKey)
    const data = { walletKey, name, features: [...features], chains: [...chains], twin, identity }
    say({ type: 'installed.announced', data })
    mark()
    if (present.size > 1 && !skeletonsOf) void compare()
    tell()
  }

  function tell(): void {
    changed()
    for (const listener of listeners) listener()
  }

  /** Keys of the wallets here whose name looks like another's. */
  function twins(): string[] {
    const owners = new Map<string, Set<Known>>()
    for (const known of present.values())
      for (const skeleton of skeletons(known.name)) owners.set(skeleton, (owners.get(skeleton) ?? new Set()).add(known))
    const alike = new Set([...owners.values()].filter(({ size }) => size > 1).flatMap(several => [...several]))
    return [...alike].map(({ walletKey }) => walletKey).sort()
  }

  function skeletons(name: string): readonly string[] {
    const known = skeletonsBy.get(name)
    if (known) return known
    const found = skeletonsOf?.(name) ?? [name.toLowerCase()]
    skeletonsBy.set(name, found)
    return found
  }

  /** Writes down which are marked, once for all that come and go together. */
  function mark(): void {
    if (isMarking) return
    isMarking = true
    queueMicrotask(() => {
      isMarking = false
      const walletKeys = twins()
      if (walletKeys.join('\n') === marked) return
      marked = walletKeys.join('\n')
      say({ type: 'installed.alike', data: { walletKeys } })
    })
  }

  /** Loads the table; one that does not come is asked for again with the next wallet. */
  function compare(): Promise<void> {
    comparing ??= import('../../events/values/lookalike.ts').then(
      table => {
        skeletonsOf = table.skeletonsOf
        skeletonsBy.clear()
        mark()
        tell()
      },
      () => {
        comparing = undefined
      },
    )
    return comparing
  }

  function leave(wallet: unknown): void {
    const known = present.get(wallet as object)
    if (!known) return
    present.delete(wallet as object)
    skeletonsBy.delete(known.name)
    full = false
    say({ type: 'installed.gone', data: { walletKey: known.walletKey } })
    mark()
    went(known)
    tell()
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

  function alike(name: string): Known[] | undefined {
    const all = [...present.values()]
    if (all.length <= 1) return all.filter(known => known.name === name)
    if (!skeletonsOf) return undefined
    const wanted = skeletons(name)
    return all.filter(known => skeletons(known.name).some(skeleton => wanted.includes(skeleton)))
  }

  /** Resolves when there is a wallet of this name, or after `waitMs`. */
  function arrival(name: string, waitMs: number): Promise<void> {
    const isHere = () => [...present.values()].some(known => known.name === name)
    if (isHere()) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        listeners.delete(look)
        resolve()
      }
      const look = () => {
        if (isHere()) done()
      }
      const timer = setTimeout(done, waitMs)
      listeners.add(look)
    })
  }

  const compared = async () => {
    if (present.size > 1) await compare()
  }

  return {
    byKey: walletKey => [...present.values()].find(known => known.walletKey === walletKey),
    alike,
    compared,
    async awaited(name, waitMs) {
      await arrival(name, waitMs)
      await compared()
    },
    close: () => hearing.abort(),
  }
}
