/**
 * Networks beside the page's own. Which of them is active is a
 * value of the device: this worker reads it before it opens a log, and the next one after a switch.
 */
import type { EffectData } from '../../events/effect.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import type { CoreConfig } from '../../events/wire.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Drive } from '../../runtime/host/driver.ts'
import type { Draft } from '../../runtime/core/draft.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { BootData } from '../core/context.ts'
import type { CoreMachine } from '../core/core.ts'
import { drive } from '../drivers/drive.ts'
import { type KeyStore, keyStore } from '../drivers/walletconnect/keys.ts'
import { copyKeys } from '../drivers/walletconnect/seal.ts'
import { chooseNetwork, chosenNetwork, forgetOnTheWay, onTheWayTo } from '../journal/chosenNetwork.ts'
import { openLog } from '../journal/storage.ts'
import { genesisHashAt } from './chainOf.ts'
import { moneyUnderWay } from './money/moneyUnderWay.ts'

/** The choice of networks of one core. */
type Networks = {
  /** the page's own config, or one whose node is the chosen network's, which has no sale */
  config: CoreConfig
  genesisHash: string
  boot: Pick<BootData, 'networks'>
  /**
   * Copies the keys of sessions on their way to this log.
   *
   * @returns what brings them in, once the core has begun; undefined when nothing is on its way
   */
  arrive(keys: KeyStore): Promise<((hear: (draft: Draft) => void, journal: Pick<Journal, 'flush'>) => void) | undefined>
  /** @param leave ends this core at once, and tells its pages to begin anew */
  driver(core: Pick<CoreMachine, 'model'>, leave: () => void): Drive
}

/** @throws when the table of chains cannot be read */
export async function openNetworks(config: CoreConfig, now: () => number): Promise<Networks> {
  const { networks = [] } = config
  const home = await genesisHashAt(config.solanaRpcUrl, now)
  const chosen = await chosenNetwork(config)
  const away = chosen && chosen.genesisHash !== home ? chosen : undefined
  const genesisHash = away?.genesisHash ?? home
  const [solanaRpcUrl = '', ...moreRpcUrls] = away?.rpcUrls ?? []
  const { sale: _, ...rest } = config
  const caip2Of = (hash: string) => networkOfGenesis(hash).caip2
  const offered = [home, ...networks.map(one => one.genesisHash)].filter(hash => hash !== '').map(caip2Of)
  const onTheWay = genesisHash === '' ? undefined : await onTheWayTo(genesisHash)

  return {
    config: away ? { ...rest, solanaRpcUrl, moreRpcUrls } : config,
    genesisHash,
    // A home that is not identified yet cannot be returned to
    boot:
      home === ''
        ? {}
        : { networks: { home: caip2Of(home), active: caip2Of(genesisHash), networks: [...new Set(offered)] } },

    async arrive(keys) {
      if (!onTheWay) return undefined
      const { from, entering } = onTheWay
      const log = await openLog(from)
      try {
        await copyKeys(
          keyStore(log),
          keys,
          entering.sessions.map(({ sessionTopic }) => sessionTopic),
        )
      } finally {
        log.close()
      }
      return (hear, journal) => {
        hear({ type: 'network.entered', data: entering })
        // It comes again after a kill before its commit, and changes nothing then
        void journal
          .flush('strict')
          .then(() => forgetOnTheWay(onTheWay))
          .catch(() => undefined)
      }
    },

    driver: (core, leave) =>
      drive<EffectData['core.switchNetwork']>(async ({ caip2, entering }) => {
        const to = caip2 === undefined ? home : networks.find(one => caip2Of(one.genesisHash) === caip2)?.genesisHash
        if (to === undefined) throw new Fault('bad_input', 'Network not found')
        const busy = new Fault('busy', 'switching expected no payment to be under way, one is')
        if (moneyUnderWay(core.model)) throw busy
        await chooseNetwork(caip2, { from: genesisHash, to, entering })
        // A payment may have begun meanwhile
        if (moneyUnderWay(core.model)) {
          await chooseNetwork(away && caip2Of(away.genesisHash))
          throw busy
        }
        leave()
        return undefined
      }),
  }
}
