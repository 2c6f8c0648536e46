/** A message that the connected wallet signs for the host. That of an installed wallet leaves no trace in the log. */
import type { CoreModel } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/activeConnection.ts'
import { installedWallet, walletName } from '../../events/subjects/connection.ts'
import { decodeBase58, encodeBase58 } from '../../events/values/base58.ts'
import { idsOf } from '../../events/values/networks.ts'
import { isRecord } from '../../runtime/json/isRecord.ts'
import { Fault } from '../../runtime/failure.ts'
import { own } from '../../runtime/schema/own.ts'
import { accountsOn, approvedChains } from '../../worker/walletconnect/session/namespaces.ts'
import type { Addresses } from '../config.ts'
import type { Page } from '../page/page.tsx'

/**
 * @param message text, signed as UTF-8, or bytes
 * @returns the signature, 64 bytes
 * @throws Fault `bad_input` for another message, `unauthorized` without a connected wallet, and the wallet's own failures:
 *   `user_rejected`, `unsupported`, `account_changed`, `bad_response`, …
 */
export async function signMessage(page: Page, addresses: Addresses, message: unknown): Promise<Uint8Array> {
  const bytes = typeof message === 'string' ? new TextEncoder().encode(message) : message
  if (!(bytes instanceof Uint8Array))
    throw new Fault('bad_input', `signMessage expected text or a Uint8Array, got ${typeof message}`)
  const active = activeConnection(page.store.model())
  if (active?.connection.phase !== 'live')
    throw new Fault('unauthorized', 'signMessage expected a connected wallet, there is none')
  const { connection, account } = active
  if (connection.connector === 'installed') {
    const signing = await (await page.started).signing()
    return signing.signMessage({ ...installedWallet(connection), account }, bytes)
  }
  if (!connection.features.includes('signMessage'))
    throw new Fault('unsupported', `${walletName(connection)} expected to sign messages, its session does not allow it`)
  const chain = chainOfRequest(page.store.model(), connection.sessionTopic ?? '', account)
  return overSession(page, addresses, { account, chain }, bytes)
}

/**
 * @returns the chain under which the session has the account: this page's network, by a former id too, else any, as a signed
 *   message is of no chain
 */
function chainOfRequest({ network, session }: CoreModel, sessionTopic: string, account: string): string {
  const here = network.phase === 'identified' ? idsOf(network.caip2) : []
  const namespaces = own(session, sessionTopic)?.namespaces ?? {}
  const holds = (chain: string) => accountsOn(namespaces, chain).includes(`${chain}:${account}`)
  const approved = approvedChains(namespaces).filter(chain => chain.startsWith('solana:'))
  return [...here, ...approved].find(holds) ?? here[0] ?? 'solana'
}

/** Longest message over WalletConnect, bytes: in base58, whose work grows with the square of the length. */
const sessionLimit = 10_000

async function overSession(
  page: Page,
  addresses: Addresses,
  { account, chain }: { account: string; chain: string },
  bytes: Uint8Array,
): Promise<Uint8Array> {
  if (bytes.length === 0 || bytes.length > sessionLimit)
    throw new Fault(
      'bad_input',
      `signMessage expected 1 to ${sessionLimit} bytes over WalletConnect, got ${bytes.length}`,
    )
  const { startProvider } = await import('../provider/startProvider.ts')
  const provider = await startProvider(page, addresses)
  const params = { message: encodeBase58(bytes), pubkey: account }
  const answer = await provider.request({ method: 'solana_signMessage', params }, chain).catch((cause: unknown) => {
    const { code, message } = Object(cause) as { code?: number; message?: string }
    throw new Fault(code === 4001 || code === 5000 ? 'user_rejected' : 'unknown', String(message))
  })
  const signature =
    isRecord(answer) && typeof answer.signature === 'string' ? decodeBase58(answer.signature) : undefined
  if (signature?.length === 64) return signature
  throw new Fault('bad_response', 'the wallet expected to answer with a signature of 64 bytes')
}
