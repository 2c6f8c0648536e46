/** Our client as a contract run sees it, in Node or on a page: something is asked of it, and its model is looked at. */
import type { Model } from '../../src/events/app.ts'
import type { Command } from '../../src/events/command.ts'

export type Dapp = {
  command(command: Command): Promise<void>
  /** @returns what `find` finds in the model. @throws Error when it finds nothing within `limitMs` */
  until<T>(what: string, find: (model: Model) => T | undefined | false | null, limitMs: number): Promise<T>
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** The device says it is online: whoever looks again wants it tried again. */
  glance(): Promise<void>
  /** The log so far, as a recording. */
  recording(): Promise<string>
  close(): Promise<void>
}
