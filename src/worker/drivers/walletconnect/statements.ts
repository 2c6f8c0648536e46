/** Reads and verifies signed statements: loaded only when a wallet sends some, as Ethereum's cryptography is large. */
import { Fault, toFailure } from '../../../runtime/failure.ts'
import { signedDefinition } from '../../../events/input.ts'
import { misfit } from '../../../runtime/schema/registry.ts'
import type { InputOf } from '../drive.ts'
import { allowed, type Cacao, messageOf, readCacao, readCacaos } from '../../walletconnect/auth/cacao.ts'
import { fromHex } from '../../walletconnect/crypto/encoding.ts'
import { toHex } from '../../../runtime/hex.ts'
import { padHex, personalHash, signerOf } from '../../walletconnect/auth/ethereum.ts'
import { isoMs } from '../../../events/values/isoTime.ts'

type Payload = InputOf<'relay.message'>['payload']
type Signed = NonNullable<Payload['signed']>[number]

/** @returns the statements, or the reason they are unreadable, for the core */
export function readStatements(raw: unknown): Pick<Payload, 'signed' | 'problem'> {
  try {
    const cacaos = readCacaos(raw)
    return { signed: cacaos.map((cacao, place) => signedOf(cacao, JSON.stringify((raw as unknown[])[place]))) }
  } catch (cause) {
    return { problem: toFailure(cause).message }
  }
}

/** @throws Fault `bad_response` when the core's schema rejects it */
function signedOf(cacao: Cacao, text: string): Signed {
  const signed = unjudged(cacao, text)
  const problem = misfit(signedDefinition, signed)
  if (problem !== undefined) throw new Fault('bad_response', `a signed statement: ${problem}`)
  // The message is hashed only after its lengths were checked
  return { ...signed, verdict: verdictOf(cacao) }
}

/** A statement before its signature is verified. */
function unjudged(cacao: Cacao, text: string): Signed {
  const { issuer, fields } = cacao
  const { exp, nbf, requestId } = fields
  const [expAt, nbfAt] = [exp, nbf].map(time => (time === undefined ? undefined : isoMs(time)))
  return {
    chain: issuer.chain,
    address: issuer.address,
    ...(allowed(cacao) ?? { methods: [], chains: [] }),
    cacao: text,
    domain: fields.domain,
    uri: fields.aud,
    nonce: fields.nonce,
    ...(exp !== undefined && { exp }),
    ...(expAt !== undefined && { expAt }),
    ...(nbf !== undefined && { nbf }),
    ...(nbfAt !== undefined && { nbfAt }),
    ...(requestId !== undefined && { requestId }),
    verdict: 'contract',
  }
}

function verdictOf(cacao: Cacao): Signed['verdict'] {
  const { signature, issuer } = cacao
  const message = messageOf(cacao)
  if (signature.type === 'eip1271') return 'contract'
  return signerOf(message, fromHex(signature.hex.slice(2))) === issuer.address.toLowerCase() ? 'valid' : 'invalid'
}

/** The answer of `isValidSignature(bytes32,bytes)` for a valid signature; also its selector. @see EIP-1271 */
export const magicValue = '1626ba7e'

/**
 * @param text a CACAO as JSON, validated before
 * @returns the account, and the call that verifies the signature
 */
export function contractCall(text: string): { to: string; data: string } {
  const cacao = readCacao(JSON.parse(text))
  const signature = cacao.signature.hex.slice(2).toLowerCase()
  const word = (value: number) => padHex(value.toString(16))
  const padded = padHex(signature, Math.ceil(signature.length / 64) * 32, 'right')
  const hash = toHex(personalHash(messageOf(cacao)))
  return { to: cacao.issuer.address, data: `0x${magicValue}${hash}${word(64)}${word(signature.length / 2)}${padded}` }
}
