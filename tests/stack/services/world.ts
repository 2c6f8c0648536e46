import type { SolanaStack } from '../solana/server.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** Surroundings of the routes: the local chain, the settings, the clock. */
export type World = {
  /** absent: accounts have no balance and no history of a chain, JSON-RPC is unavailable */
  solana: SolanaStack | undefined
  settings(): Settings
  set(changes: Partial<Settings>): void
  /** Unix ms */
  now(): number
  /** Runs when a reset restores the fixtures. */
  onReset(restore: () => void): void
  reset(): void
}

export function createWorld(solana: SolanaStack | undefined): World {
  let settings = defaultSettings
  const restores: (() => void)[] = []
  return {
    solana,
    settings: () => settings,
    set(changes) {
      settings = { ...settings, ...changes }
    },
    now() {
      const { clock } = settings
      if (typeof clock === 'number') return clock
      return clock === 'chain' && solana ? solana.chain.blocks.tip().time * 1000 : Date.now()
    },
    onReset: restore => restores.push(restore),
    reset() {
      settings = defaultSettings
      for (const restore of restores) restore()
    },
  }
}
