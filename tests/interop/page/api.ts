/** What the page of this folder offers to whoever steers it. */
import type { Model } from '../../../src/events/app.ts'
import type { Command } from '../../../src/events/command.ts'

export type InteropPage = {
  isJoined(): boolean
  /** Resolves to true once the core has it. */
  command(command: Command): Promise<true>
  model(): Model
  pairingUri(pairingTopic: string): Promise<string | null>
  recording(): Promise<string>
}

declare global {
  interface Window {
    interop?: InteropPage
  }
}
