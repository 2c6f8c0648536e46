/**
 * The wallets that are announced in this page: the app's side of the Wallet Standard, and the facts about it.
 *
 * 1. Any script may announce a wallet under any name and picture. Nothing in an announcement proves who made it.
 * 2. All wallets with lookalike names are marked, in whichever order they came, while there are at least two of them.
 * 3. Any two wallets may look alike until Unicode's table is loaded to compare their names.
 */
import type { PageFact } from '../../../events/app.ts'
import { toFailure } from '../../../runtime/failure.ts'
import { type AnnouncedWallet, readAnnouncement } from './announced.ts'
import { createLikeness } from './likeness.ts'

/** An announced wallet under its key: its name, or `name #2` for another of that name. */
export type KnownWallets = AnnouncedWallet & { readonly walletKey: string }

type Registry = {
  /** @returns the wallet with this key while it is here */
  byKey(walletKey: string): KnownWallets | undefined
  /** @returns the wallets whose name looks like this one; undefined while names cannot be compared */
  alike(name: string): KnownWallets[] | undefined
  /** Resolves when names are compared, or cannot be. */
  compared(): Promise<void>
  /** Resolves when a wallet of this name is here, or `waitMs` have passed, and names are compared. */
  awaited(name: string, waitMs: number): Promise<void>
  /** Stops listening for announcements. */
  close(): void
}

type Ports = {
  window: EventTarget
  dispatch(fact: PageFact): void
  /** Called when wallets came or went, or their names were compared. */
  changed(): void
  went(wallet: KnownWallets): void
}

/** Most wallets at a time. */
const presentLimit = 64
/** Most announcements accepted by one page: one script that comes and goes for ever must not fill the log. */
const lifetimeLimit = 1000
/** Most refusals recorded by one page. */
const refusalLimit = 16

/**
 * Listens for announcements from the next microtask on, and then requests those made before. Holds the present wallets, the
 * limits used so far and the likeness of names; one function, because each arrival and departure changes all of them.
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function createRegistry({ window, dispatch, changed, went }: Ports): Registry {
  const present = new Map<object, KnownWallets>()
  const listeners = new Set<() => void>()
  const hearing = new AbortController()
  let taken = 0
  let refusals = 0
  let full = false
  const likeness = createLikeness({
    present: () => [...present.values()],
    marked: walletKeys => dispatch({ type: 'installed.alike', data: { walletKeys } }),
    ready: tell,
  })

  function refuse(message: string): void {
    refusals += 1
    if (refusals <= refusalLimit) dispatch({ type: 'installed.refused', data: { message } })
  }

  function hasRoom(): boolean {
    if (present.size < presentLimit && taken < lifetimeLimit) return true
    if (!full) {
      full = true
      const message = `this page expected at most ${presentLimit} wallets at a time, further ones are left out`
      dispatch({ type: 'installed.refused', data: { message } })
    }
    return false
  }

  function take(wallet: unknown): void {
    if (hearing.signal.aborted || !hasRoom()) return
    if (typeof wallet === 'object' && wallet !== null && present.has(wallet)) return
    let announced: AnnouncedWallet
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
    const known: KnownWallets = Object.freeze({ ...announced, walletKey })
    present.set(wallet as object, known)
    const twin = likeness.twins().includes(walletKey)
    const data = { walletKey, name, features: [...features], chains: [...chains], twin, identity }
    dispatch({ type: 'installed.announced', data })
    likeness.changed()
    tell()
  }

  function tell(): void {
    changed()
    for (const listener of listeners) listener()
  }

  function leave(wallet: unknown): void {
    const known = present.get(wallet as object)
    if (!known) return
    present.delete(wallet as object)
    full = false
    dispatch({ type: 'installed.gone', data: { walletKey: known.walletKey } })
    likeness.changed()
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
  // Wallets that are here already answer at once; the caller gets time to finish first
  queueMicrotask(begin)

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

  return {
    byKey: walletKey => [...present.values()].find(known => known.walletKey === walletKey),
    alike: likeness.alike,
    compared: likeness.compared,
    async awaited(name, waitMs) {
      await arrival(name, waitMs)
      await likeness.compared()
    },
    close: () => hearing.abort(),
  }
}
