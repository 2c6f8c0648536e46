/** The tabs of this product: it is loaded with the drivers, right after the start. */
import { isAwaited } from '../../events/coreFolds.ts'
import { coreCalls, leadLock, lifeLock, type Wire } from '../../events/wire.ts'
import { channelNames } from '../../runtime/tabs/channel.ts'
import type { TabRules } from '../../runtime/tabs/tabRules.ts'
import { createTabs, type Tabs, type TabsPorts } from '../../runtime/tabs/tabs.ts'
import { coreRules } from '../core/core.ts'
import { promptEnd } from '../core/promptEnds.ts'
import { pairingUriFrom } from './pairingUriFrom.ts'

export const tabRules: TabRules = {
  channels: channelNames('mai'),
  leadLock,
  stealLock: 'mai-steal',
  lifeLock,
  calls: coreCalls,
  isAwaited,
  unanswered: coreRules.unanswered,
  promptLost: () => promptEnd('tabClosed'),
  mayChangeBusy: type => type.startsWith('order.'),
  secretCalls: (genesisHash, commit) =>
    ({
      async pairingUri(pairingTopic) {
        // The leader commits, so that the code is on disk
        await commit().catch(() => undefined)
        return pairingUriFrom(genesisHash, pairingTopic)
      },
    }) satisfies Pick<Wire['calls'], 'pairingUri'>,
}

export const openTabs = (ports: TabsPorts): Tabs => createTabs(tabRules, ports)
