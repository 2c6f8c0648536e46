/** Our client as hosts use it: the product's page without interface, its worker with a log on disk, and the provider. */
import { builtAddresses } from '../../../src/main/config.ts'
import { startPage } from '../../../src/main/page/page.tsx'
import { presale } from '../../../src/main/page/presale.ts'
import { presaleSettings } from '../../../src/main/page/presaleConfig.ts'
import { startProvider } from '../../../src/main/provider/startProvider.ts'
import { proposed } from '../clients/proposed.ts'
import { createClientBench } from './clientBench.ts'

const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const addresses = builtAddresses()
const { ui } = presale(addresses)
// Neither client has its messages attested: the official one supports no other service
const { verifyUrl: _, ...unwitnessed } = presaleSettings(addresses, ui.featured).host
const provider = await startProvider(startPage({ addresses, ui, host: unwitnessed }), addresses)

window.clientBench = createClientBench({
  pair() {
    const shown = new Promise<string>(resolve => provider.once('display_uri', resolve))
    const settled = provider.connect({ optionalNamespaces: proposed(chain) }).then(({ topic }) => topic)
    return { shown, settled }
  },
  // Goes to the newest session, which is the last one settled
  sign: (_topic, params) => provider.request({ method: 'solana_signMessage', params }, chain),
})
