/** Interface of this folder's page. */
import type { Model } from '../../../src/events/app.ts'
import type { Command } from '../../../src/events/command.ts'

export type InteropPage = {
  isJoined(): boolean
  /** Resolves true once the core has accepted it. */
  command(command: Command): Promise<true>
  model(): Model
  /** Resolves once the page has shown more than `seen` changes. @returns how many it has shown */
  changed(seen: number): Promise<number>
  pairingUri(pairingTopic: string): Promise<string | null>
  recording(): Promise<string>
}

declare global {
  interface Window {
    interop?: InteropPage
  }
}
