/**
 * The official client, to measure its memory.
 *
 *   node official.mjs RELAY PROJECT CHAIN
 */
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { liveAs } from './life.ts'
import { nowhere } from './nowhere.ts'
import { proposed } from './proposed.ts'

const [, , relayUrl = '', projectId = '', chainId = ''] = process.argv

const core = new Core({ projectId, relayUrl, storage: nowhere(), logger: 'silent', telemetryEnabled: false })
const metadata = { name: 'MAI presale', description: 'bench', url: 'http://127.0.0.1', icons: [] }
const client = await SignClient.init({ core: core as never, metadata, logger: 'silent' })

liveAs({
  async pair() {
    const { uri = '', approval } = await client.connect({ optionalNamespaces: proposed(chainId) })
    return { uri, settled: approval() }
  },
  sessions: () => client.session.length,
})
