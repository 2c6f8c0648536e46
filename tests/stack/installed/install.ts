import type { TokenNames } from '../wallet/describe.ts'
import { type HostileKind, hostileWallets } from './hostile.ts'
import { createPanel } from './panel.ts'
import { announce } from './standard.ts'
import { createInstalledWallet, type InstalledControl, type InstalledOptions } from './wallet.ts'

/** Time of the announcement: as the script runs, after the page's load event, or on demand. */
export type AnnounceAt = 'early' | 'late' | 'never'

/** Options of the injected script. Wallets with equal names get the keys `Quill`, `Quill 2`, … */
export type InstallOptions = {
  rpcUrl: string
  wallets: (InstalledOptions | { name: string; hostile: HostileKind })[]
  announce?: AnnounceAt
  /** Token names by mint, for the confirm window. */
  tokens?: TokenNames
}

declare global {
  interface Window {
    /** Controls of the injected wallets by key; only in a page the local stack injects into. */
    __wallets: Record<string, InstalledControl>
  }
}

/** Runs inside the page: creates the wallets, exposes their controls for tests, announces them. Skips frames. */
export function install({ rpcUrl, wallets, announce: when = 'early', tokens = {} }: InstallOptions): void {
  if (window.top !== window || location.protocol === 'about:') return
  const panel = createPanel()
  const controls: Record<string, InstalledControl> = {}
  const known: (() => void)[] = []
  for (const options of wallets) {
    if ('hostile' in options) {
      known.push(() => {
        for (const one of hostileWallets(options.hostile, options.name)) announce(one)
      })
      continue
    }
    const key = freeKey(options.key ?? options.name, controls)
    const { control } = createInstalledWallet({ ...options, key }, { rpcUrl, panel, tokens })
    controls[key] = control
    known.push(control.announce)
  }
  window.__wallets = controls
  const announceAll = (): void => {
    for (const one of known) guarded(one)
  }
  if (when === 'early') announceAll()
  if (when === 'late') window.addEventListener('load', () => setTimeout(announceAll, 300))
}

function freeKey(name: string, taken: Record<string, unknown>): string {
  if (!Object.hasOwn(taken, name)) return name
  let n = 2
  while (Object.hasOwn(taken, `${name} ${n}`)) n += 1
  return `${name} ${n}`
}

/** A page that fails on one announcement must still receive the others. */
function guarded(run: () => void): void {
  try {
    run()
  } catch (error) {
    console.warn('a wallet announcement was not taken', error)
  }
}
