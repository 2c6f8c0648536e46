/**
 * The sign-in message: one format for every namespace, line by line.
 *
 * @see EIP-4361, CAIP-122
 */
import { Fault } from '../../../runtime/failure.ts'
import { lineBreaks } from './authChecks.ts'
import { readRecap, recapIn, withAllowed } from './recap.ts'

/** Times are ISO 8601 texts. */
export type SignInFields = {
  readonly domain: string
  /** the URI being signed in to */
  readonly aud: string
  readonly version: string
  readonly nonce: string
  readonly iat: string
  readonly statement?: string
  readonly exp?: string
  readonly nbf?: string
  readonly requestId?: string
  /** the last one may be a ReCap; an empty list still writes its heading */
  readonly resources?: readonly string[]
}

const chainNames: Readonly<Record<string, string>> = { eip155: 'Ethereum', solana: 'Solana', bip122: 'Bitcoin' }

/**
 * @param issuer the signer: `namespace`, `reference` of the chain, `address`
 * @returns the message, with the ReCap's permissions in its statement
 * @throws Fault `bad_input` when a field has a line break, which could forge another line; `bad_response` when the ReCap is
 *   unreadable
 */
export function signInMessage(
  fields: SignInFields,
  issuer: { namespace: string; reference: string; address: string },
): string {
  const { domain, aud, version, nonce, iat, exp, nbf, requestId, resources } = fields
  const recap = recapIn(resources)
  const statement = recap === undefined ? fields.statement : withAllowed(fields.statement ?? '', readRecap(recap))
  if (statement !== undefined && /[\r\n]/.test(statement)) throw new Fault('bad_input', lineBreaks)
  const others = [domain, aud, version, nonce, iat, exp, nbf, requestId, issuer.address, ...(resources ?? [])]
  if (others.some(text => text !== undefined && /[\r\n]/.test(text)))
    throw new Fault('bad_input', 'a sign-in message expected fields of one line each')
  const name = Object.hasOwn(chainNames, issuer.namespace) ? chainNames[issuer.namespace] : issuer.namespace
  return [
    `${domain} wants you to sign in with your ${name} account:`,
    issuer.address,
    '',
    ...(statement ? [statement] : []),
    '',
    `URI: ${aud}`,
    `Version: ${version}`,
    `Chain ID: ${issuer.reference}`,
    `Nonce: ${nonce}`,
    `Issued At: ${iat}`,
    ...(exp ? [`Expiration Time: ${exp}`] : []),
    ...(nbf ? [`Not Before: ${nbf}`] : []),
    ...(requestId ? [`Request ID: ${requestId}`] : []),
    ...(resources ? [['Resources:', ...resources.map(resource => `- ${resource}`)].join('\n')] : []),
  ].join('\n')
}
