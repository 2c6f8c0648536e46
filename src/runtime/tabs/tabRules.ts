import type { Draft } from '../core/draft.ts'
import type { CallTable } from '../wire.ts'
import type { ChannelNames } from './channel.ts'

/** The rules of a product's tabs. */
export type TabRules = {
  channels: ChannelNames
  /** held by the worker that leads */
  leadLock: string
  /** held while a worker takes the lead from another: one at a time */
  stealLock: string
  lifeLock(worker: string): string
  /** the calls of the core */
  calls: CallTable
  /** Whether a page may wait for a fact of this type. */
  isAwaited(type: string): boolean
  /** Effects that a page does not answer: they have no end to wait for. */
  unanswered: ReadonlySet<string>
  /** @returns the input that ends a page effect whose tab is gone */
  promptLost(): Pick<Draft, 'type' | 'data'>
  /** Whether a fact of this type may begin or end something that must not be interrupted. */
  mayChangeBusy(type: string): boolean
  /**
   * @param log of the leader's core
   * @param commit makes the leader commit
   * @returns the calls whose answers go through no channel, as a follower answers them
   */
  secretCalls(log: string, commit: () => Promise<void>): object
}
