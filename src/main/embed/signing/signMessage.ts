/** A message that the connected wallet signs for the host. That of an installed wallet leaves no trace in the log. */
import { installedWallet, walletName } from '../../../events/subjects/wallet/connection.ts'
import { decodeBase58, encodeBase58 } from '../../../events/values/solana/base58.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { Addresses } from '../../config.ts'
import type { Page } from '../../page/page.tsx'
import { activeSigner, askWallet, chainsOf } from './signer.ts'

/** Longest message over WalletConnect, bytes: in base58, whose work grows with the square of the length. */
const sessionLimit = 10_000

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
  const signer = activeSigner(page, 'signMessage')
  const { connection, account } = signer
  if (connection.connector === 'installed') {
    const signing = await (await page.started).signing()
    return signing.signMessage({ ...installedWallet(connection), account }, bytes)
  }
  if (!connection.features.includes('signMessage'))
    throw new Fault('unsupported', `${walletName(connection)} expected to sign messages, its session does not allow it`)
  if (bytes.length === 0 || bytes.length > sessionLimit)
    throw new Fault(
      'bad_input',
      `signMessage expected 1 to ${sessionLimit} bytes over WalletConnect, got ${bytes.length}`,
    )
  const { all, here } = chainsOf(page.store.model(), signer)
  // A signed message is of no chain
  const chain = all[0] ?? here[0] ?? 'solana'
  const params = { message: encodeBase58(bytes), pubkey: account }
  const answer = await askWallet(page, addresses, chain, { method: 'solana_signMessage', params })
  const signature =
    isRecord(answer) && typeof answer.signature === 'string' ? decodeBase58(answer.signature) : undefined
  if (signature?.length === 64) return signature
  throw new Fault('bad_response', 'the wallet expected to answer with a signature of 64 bytes')
}
