/** The official client as used by a page, with its own storage on disk. */
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { builtAddresses } from '../../../src/main/config.ts'
import { proposed } from '../clients/proposed.ts'
import { createClientBench } from './clientBench.ts'

const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const { projectId, relayUrl } = builtAddresses()
const core = new Core({ projectId, relayUrl, logger: 'silent', telemetryEnabled: false })
// The verify host is outside: calling it would take five seconds per message here. Ours calls none either
core.verify.register = async () => ''
const metadata = { name: 'MAI presale', description: 'bench', url: location.origin, icons: [] }
const client = await SignClient.init({ core: core as never, metadata, logger: 'silent' })

window.clientBench = createClientBench({
  pair() {
    const connecting = client.connect({ optionalNamespaces: proposed(chainId) })
    return {
      shown: connecting.then(({ uri = '' }) => uri),
      settled: connecting.then(({ approval }) => approval()).then(({ topic }) => topic),
    }
  },
  sign: (topic, params) => client.request({ topic, chainId, request: { method: 'solana_signMessage', params } }),
})
