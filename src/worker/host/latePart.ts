/** WalletConnect's part of the core in a visitor's worker: fetched when first needed, and taken into the core at its place. */
import { toFailure, Fault } from '../../events/failure.ts'
import type { CoreMachine } from '../core/core.ts'
import { decidersInOrder } from '../deciders/inOrder.ts'
import type { WalletConnectDeciders } from '../deciders/pairing/walletConnect.ts'
import { isAboutSession, isForWalletConnect, needsWalletConnect } from '../deciders/pairing/walletConnectPart.ts'
import { later } from '../drivers/later.ts'
import type { Draft } from './inbox.ts'

export type LatePart = {
  /** @returns whether this input cannot be stepped before the part is here */
  isAwaitedBy(draft: Draft): boolean
  /** @returns whether the core over its model cannot begin before the part is here */
  isAwaited(): boolean
  /**
   * Brings it into the core. The next call tries again.
   *
   * @param withinMs how long it may take
   * @returns what the core must hear of it first
   * @throws Fault `reload_needed`; `timeout` when it does not come in time
   */
  bring(withinMs?: number): Promise<Draft | undefined>
}

/** Brings the part; a function of its own so that it can fail in a test. */
export type LoadPart = () => Promise<WalletConnectDeciders>

const loadDefault: LoadPart = () => import('../deciders/pairing/walletConnect.ts').then(part => part.walletConnect)
/** Whoever pressed hears of it before the page gives their press up, ms. */
const patienceMs = 7000
/** Told to a core that began without it. */
export const partCame: Draft = { type: 'core.partCame', data: {} }

export function createLatePart(core: CoreMachine, load: LoadPart = loadDefault): LatePart {
  const part = later('reaching a wallet by its code', load)
  let isHere = false
  return {
    isAwaitedBy({ type, data }) {
      if (type === partCame.type) return !isHere
      if (isHere && !core.isPartAway) return false
      return isForWalletConnect(type, data) || isAboutSession(core.model, type, data)
    },
    isAwaited: () => !isHere && needsWalletConnect(core.model),
    async bring(withinMs = patienceMs) {
      const come = await inTime(part.get(), withinMs)
      if (!isHere) core.remake(decidersInOrder(come))
      isHere = true
      return core.isPartAway ? partCame : undefined
    },
  }
}

/** @returns what is recorded in an input's place when the part it needs could not be had */
export function missingOf({ type, data, to, tab, ref }: Draft, cause: unknown): Draft {
  const chosen = type === 'connection.connectWalletConnect' ? { wallet: data.wallet } : {}
  const instead: Draft = { type: 'core.partMissing', data: { input: type, failure: toFailure(cause), ...chosen } }
  if (to !== undefined) instead.to = to
  if (tab !== undefined) instead.tab = tab
  if (ref !== undefined) instead.ref = ref
  return instead
}

async function inTime<T>(coming: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `a part of this page was expected within ${ms / 1000} s, it did not come`
    timer = setTimeout(() => reject(new Fault('timeout', message)), ms)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}
