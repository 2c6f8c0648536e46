/**
 * Our client with its real worker side: core, log, drivers. Its disk is in memory, too, with the commits of a real one.
 *
 *   node ours.mjs CONFIG CHAIN
 */
import type { CoreConfig } from '../../../src/events/wire.ts'
import { openPage } from '../../worker/shell/page.ts'
import { liveAs } from './life.ts'

const [, , config = '', chainId = ''] = process.argv
const page = await openPage({ config: JSON.parse(config) as CoreConfig, locks: undefined })
const wallet = { walletId: 'walletConnect', name: 'WalletConnect' }

liveAs({
  async pair() {
    const before = new Set(Object.keys(page.model().session))
    await page.command({ type: 'connection.connectWalletConnect', data: { wallet } })
    // As the page does: the code is asked for as soon as there is a pairing to be shown
    const topic = await page.until('a pairing', model => model.pairing.shown)
    const uri = (await page.core.pairingUri(topic)) ?? ''
    const settled = page.until(
      'a session',
      model => Object.keys(model.session).find(sessionTopic => !before.has(sessionTopic)),
      30_000,
    )
    return { uri, settled }
  },
  async sign(sessionTopic, params) {
    const before = new Set(Object.keys(page.model().request))
    const method = 'solana_signMessage'
    await page.command({
      type: 'request.send',
      data: { sessionTopic, chainId, method, params: JSON.stringify(params) },
    })
    return page.until('an answer', model => {
      const asked = Object.values(model.request).find(({ requestId }) => !before.has(requestId))
      if (asked?.end && asked.end.how !== 'answered') throw new Error(JSON.stringify(asked.end))
      return asked?.end
    })
  },
})
