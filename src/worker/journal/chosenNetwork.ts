/** The network that the person chose on this device, beside the page's own, and the connections on their way to another log. */
import type { Entering } from '../../events/effect.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import type { CoreConfig } from '../../events/wire.ts'
import { onChains, rememberedChain } from './storage.ts'

const chosenKey = 'chosen'
const enteringKey = 'entering'

/** Connections that left the log `from` for the log `to`, each named by its genesis hash. */
type OnTheWay = { from: string; to: string; entering: Entering }

/** @returns the chosen network, if the page offers it; undefined is the page's own */
export async function chosenNetwork({ networks = [] }: Pick<CoreConfig, 'networks'>) {
  if (networks.length === 0) return undefined
  const chosen = await onChains(db => db.get('chains', chosenKey))
  return networks.find(({ genesisHash }) => networkOfGenesis(genesisHash).caip2 === chosen)
}

/** @returns the genesis hash of this device's log; empty before any chain was identified */
export async function logOnDevice(config: Pick<CoreConfig, 'networks' | 'solanaRpcUrl'>): Promise<string> {
  return (await chosenNetwork(config))?.genesisHash ?? (await rememberedChain(config.solanaRpcUrl)) ?? ''
}

/** Chooses a network, in one transaction with what goes there; without `caip2` the page's own. */
export async function chooseNetwork(caip2: string | undefined, onTheWay?: OnTheWay): Promise<void> {
  await onChains(db =>
    db.transact(['chains'], 'strict', store => {
      const chains = store('chains')
      return Promise.all([
        caip2 === undefined ? chains.delete(chosenKey) : chains.put(caip2, chosenKey),
        onTheWay === undefined ? chains.delete(enteringKey) : chains.put(onTheWay, enteringKey),
      ])
    }),
  )
}

/** @returns what is on its way to this log; what was on its way to another one never comes */
export async function onTheWayTo(genesisHash: string): Promise<OnTheWay | undefined> {
  const found = (await onChains(db => db.get('chains', enteringKey))) as OnTheWay | undefined
  return found?.to === genesisHash ? found : undefined
}

/** Forgets what was on its way, once it is in the log; a later switch may have put something else in its place. */
export async function forgetOnTheWay({ from, to }: Pick<OnTheWay, 'from' | 'to'>): Promise<void> {
  await onChains(db =>
    db.transact(['chains'], 'strict', async store => {
      const chains = store('chains')
      const found = (await chains.get(enteringKey)) as OnTheWay | undefined
      if (found?.from === from && found.to === to) await chains.delete(enteringKey)
    }),
  )
}
