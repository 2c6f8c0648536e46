/** Our client in Node: the product's worker side with its real drivers, in a life that can be ended. */
import type { CoreConfig } from '../../src/events/wire.ts'
import { createLocks } from '../worker/tabs/locks.ts'
import { openPage } from '../worker/tabs/page.ts'
import { emptyDisk, install, live } from '../worker/tabs/world.ts'
import type { Dapp } from './dapp.ts'

/** Starts it with an empty disk. */
export async function startNodeDapp(config: CoreConfig): Promise<Dapp> {
  install()
  emptyDisk()
  const { value: page, enter, kill } = await live(() => openPage({ config, locks: createLocks() }), 'shared')
  return {
    command: command => enter(() => page.command(command)),
    until: (what, find, limitMs) => page.until(what, find, limitMs),
    pairingUri: topic => enter(() => page.core.pairingUri(topic)),
    glance: () => enter(() => page.core.lifecycle({ online: true }, page.tab)),
    recording: () => enter(() => page.core.recording([])),
    close: kill,
  }
}
