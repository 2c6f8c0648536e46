/**
 * The official client, for weighing.
 *
 *   node official.mjs RELAY PROJECT CHAIN
 */
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { proposed } from './proposed.ts'
import { liveAs } from './life.ts'

const [, , relayUrl = '', projectId = '', chainId = ''] = process.argv

/** What is on a disk is not to count. */
const nowhere = {
  getKeys: async () => [],
  getEntries: async () => [],
  getItem: async () => undefined,
  setItem: async () => undefined,
  removeItem: async () => undefined,
}

const core = new Core({ projectId, relayUrl, storage: nowhere, logger: 'silent', telemetryEnabled: false })
const metadata = { name: 'MAI presale', description: 'bench', url: 'http://127.0.0.1', icons: [] }
const client = await SignClient.init({ core: core as never, metadata, logger: 'silent' })

liveAs({
  async pair() {
    const { uri = '', approval } = await client.connect({ optionalNamespaces: proposed(chainId) })
    return { uri, settled: approval() }
  },
})
