/** A page without interface: the product's supervisor and store around the product's worker, controlled from outside. */
import type { Model } from '../../../src/events/app.ts'
import { foldAuth } from '../../../src/events/subjects/wallet/auth.ts'
import workerUrl from '../../../src/worker/worker.ts?worker&url'
import { builtAddresses, coreConfig } from '../../../src/main/config.ts'
import { createWallets } from '../../../src/main/drivers/wallets/wallets.ts'
import { presaleSettings } from '../../../src/main/page/presaleConfig.ts'
import { createSupervisor } from '../../../src/main/page/supervisor/supervisor.ts'
import { trustedScriptURL } from '../../../src/main/page/integrity/trusted.ts'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore } from '../../../src/ui/store.ts'
import type { InteropPage } from './api.ts'

const addresses = builtAddresses()
const store = createStore({ request: task => void setTimeout(task), hidden: () => false }, foldBatch)
const supervisor = createSupervisor({
  store,
  config: coreConfig(addresses, presaleSettings(addresses, []).host),
  makeWorker: () => new Worker(trustedScriptURL(workerUrl), { type: 'module', name: 'mai-core' }),
  now: () => Date.now(),
  wallets: createWallets({ window, dispatch: fact => supervisor.dispatch(fact) }),
})
let presses = 0
let changes = 0
const waiting: (() => void)[] = []
function change(): void {
  changes += 1
  for (const go of waiting.splice(0)) go()
}
store.subscribe(change)
/** The page's model lacks sign-ins, so they are folded here for the controller. */
const told: Pick<Model, 'auth'> = { auth: {} }
supervisor.hear(facts => {
  for (const { type, at, data } of facts)
    if (type.startsWith('auth.')) foldAuth(told, { type, at, data } as Parameters<typeof foldAuth>[1])
  change()
})

const page: InteropPage = {
  isJoined: () => store.model().tab.phase === 'attached',
  async command(command) {
    presses += 1
    const ref = `${supervisor.tab}.i${presses}`
    await supervisor.core.command(command, ref, supervisor.tab)
    return true
  },
  model: () => ({ ...store.model(), auth: told.auth }),
  async changed(seen) {
    if (changes <= seen) await new Promise<void>(resolve => waiting.push(resolve))
    return changes
  },
  pairingUri: async topic => (await supervisor.core.pairingUri(topic)) ?? null,
  recording: () => supervisor.recording(),
}
supervisor.start()
window.interop = page
