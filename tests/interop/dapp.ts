/** Our client in a contract run, in Node or on a page: takes commands, exposes its model. */
import type { Model } from '../../src/events/app.ts'
import type { Command } from '../../src/events/command.ts'

export type Dapp = {
  command(command: Command): Promise<void>
  /** @returns the first result of `find` in the model. @throws Error when there is none within `limitMs` */
  until<T>(what: string, find: (model: Model) => T | undefined | false | null, limitMs: number): Promise<T>
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** Reports the device online, as when the person returns, so that the client retries. */
  glance(): Promise<void>
  /** The log so far, as a recording. */
  recording(): Promise<string>
  close(): Promise<void>
}
