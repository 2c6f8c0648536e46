/**
 * Sign-In with Solana: the connected wallet signs a statement that its account is the visitor's. A wallet that composes such
 * statements itself shows its own screen for them; others sign the same text as a message.
 */
import { installedWallet, walletName } from '../../../events/subjects/wallet/connection.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { Addresses } from '../../config.ts'
import type { Page } from '../../page/page.tsx'
import { type ConfigCheck, inNameOf, known, listOf, wrong } from '../config/configChecks.ts'
import { activeSigner } from './signer.ts'
import { signMessage } from './signMessage.ts'

/** Fields of the statement, as wallets show them; `domain` and `uri` default to the page's own. Times are ISO 8601. */
export type SolanaSignIn = {
  domain?: string
  statement?: string
  uri?: string
  version?: string
  chainId?: string
  /** at least 8 letters or digits; a server must refuse one that it did not give out */
  nonce?: string
  issuedAt?: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: readonly string[]
}

/** A server verifies the `signature`, 64 bytes, of `signedMessage` by `account`, and the fields in the message. */
export type SolanaSignedIn = { account: string; signedMessage: Uint8Array; signature: Uint8Array }

/** Longest field, characters. */
const longest = 2000

/** One line: with line breaks, a field could write others. */
const line: ConfigCheck = (value, key) => {
  if (typeof value !== 'string' || value === '' || value.length > longest || /\p{C}/u.test(value))
    throw wrong(key, `one line of 1 to ${longest} characters`, value)
}
const nonce: ConfigCheck = (value, key) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9]{8,200}$/.test(value))
    throw wrong(key, 'at least 8 letters or digits', value)
}

const fields: Record<keyof SolanaSignIn, ConfigCheck> = {
  domain: line,
  statement: line,
  uri: line,
  version: line,
  chainId: line,
  nonce,
  issuedAt: line,
  expirationTime: line,
  notBefore: line,
  requestId: line,
  resources: listOf(line, 100),
}

/**
 * @param here the page's address; its host and origin are the default domain and URI
 * @throws Fault `bad_input` for another field or value, `unauthorized` without a connected wallet, `account_changed` when the
 *   wallet signs for another account; and as `signMessage`
 */
export async function signInWithSolana(
  { page, addresses, here }: { page: Page; addresses: Addresses; here: Pick<Location, 'host' | 'origin'> },
  asked: unknown = {},
): Promise<SolanaSignedIn> {
  inNameOf('signInWithSolana', () => known(asked, 'input', fields))
  const wanted: SolanaSignIn = { domain: here.host, uri: here.origin, ...(asked as SolanaSignIn) }
  const { connection, account } = activeSigner(page, 'signInWithSolana')
  if (connection.connector === 'installed') {
    const signing = await (await page.started).signing()
    const signed = await signing
      .signIn(installedWallet(connection), { ...wanted, address: account })
      .catch(unlessLacking)
    if (signed?.account === account) return signed
    if (signed)
      throw new Fault('account_changed', `${walletName(connection)} expected to sign for the connected account`)
  }
  const signedMessage = new TextEncoder().encode(statementText(wanted, account))
  return { account, signedMessage, signature: await signMessage(page, addresses, signedMessage) }
}

/** A wallet without the feature signs the text as a message. */
function unlessLacking(cause: unknown): undefined {
  if (cause instanceof Fault && cause.code === 'unsupported') return undefined
  throw cause
}

/** @returns the statement in the form of the Sign-In with Solana specification, which wallets recognise */
function statementText({ domain, statement, resources, ...rest }: SolanaSignIn, account: string): string {
  const named: [string, string | undefined][] = [
    ['URI', rest.uri],
    ['Version', rest.version],
    ['Chain ID', rest.chainId],
    ['Nonce', rest.nonce],
    ['Issued At', rest.issuedAt],
    ['Expiration Time', rest.expirationTime],
    ['Not Before', rest.notBefore],
    ['Request ID', rest.requestId],
  ]
  const details = named.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  if (resources) details.push('Resources:', ...resources.map(one => `- ${one}`))
  const head = `${domain} wants you to sign in with your Solana account:\n${account}`
  return [
    head,
    ...(statement === undefined ? [] : [statement]),
    ...(details.length > 0 ? [details.join('\n')] : []),
  ].join('\n\n')
}
