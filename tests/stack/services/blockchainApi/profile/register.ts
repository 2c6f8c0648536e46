import type { Context } from 'hono'
import { signerOf } from '../../../../../src/worker/walletconnect/auth/ethereum.ts'
import { bodyRecord, safeJson } from '../../json.ts'
import type { World } from '../../world.ts'
import { namespaceOfAddress } from '../addresses.ts'
import { mismatch, refused, unreadable } from '../errors.ts'
import { servedIds } from '../networks.ts'
import { type Names, nameProblem } from './names.ts'

const maxSkewSeconds = 10

type Registration = { coin_type: number; address: string; message: string; signature: string }
type Message = { name: string; attributes: Record<string, string>; timestamp: number }

/**
 * `POST /v1/profile/account`: registers a name for the EVM account that signed the message. The answer carries `success` beside
 * the name, for clients that read it.
 */
export async function register(c: Context, world: World, names: Names): Promise<Response> {
  const body = await bodyRecord(c)
  if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
  const registration = readRegistration(body)
  const message = registration && readMessage(registration.message)
  if (!registration || !message) return mismatch(c)
  const { address, coin_type: coinType } = registration
  const problem =
    messageProblem(message, world, names) ??
    (coinTypes(world).includes(coinType)
      ? undefined
      : (['coin_type', `Unsupported coin type: ${coinType}`] as const)) ??
    (namespaceOfAddress(address) === 'eip155' ? undefined : (['address', `Invalid address: ${address}`] as const))
  if (problem) return refused(c, 400, ...problem)
  const signature = /^0x(?:[0-9a-f]{2})+$/i.test(registration.signature) ? registration.signature.slice(2) : ''
  if (signerOf(registration.message, new Uint8Array(Buffer.from(signature, 'hex'))) !== address.toLowerCase())
    return refused(c, 401, 'signature', 'The signature is not of the address')
  const { name, attributes } = message
  return c.json({ ...names.register({ name, address, coinType, attributes }), success: true })
}

/** @returns field and description of the first thing wrong */
function messageProblem(message: Message, world: World, names: Names): readonly [string, string] | undefined {
  const { name, attributes, timestamp } = message
  const nameWrong = nameProblem(name) ?? (names.get(name) && 'Name is already registered')
  if (nameWrong) return ['name', `${nameWrong}: ${name}`]
  if (Math.abs(timestamp - world.now() / 1000) > maxSkewSeconds) return ['timestamp', 'Timestamp is expired']
  const good = Object.entries(attributes).every(
    ([key, value]) => key === 'bio' && /^[\w .,:;!?'()-]{1,255}$/.test(value),
  )
  return good ? undefined : ['attributes', 'Unsupported attribute']
}

/** 60, and ENSIP-11's number of every EVM network. */
const coinTypes = (world: World): number[] => [
  60,
  ...servedIds(world)
    .filter(id => id.startsWith('eip155:'))
    .map(id => (0x80000000 | Number(id.slice('eip155:'.length))) >>> 0),
]

function readRegistration(body: Record<string, unknown>): Registration | undefined {
  const { coin_type, address, message, signature } = body
  if (!Number.isSafeInteger(coin_type) || typeof address !== 'string') return undefined
  if (typeof message !== 'string' || typeof signature !== 'string') return undefined
  return { coin_type: coin_type as number, address, message, signature }
}

function readMessage(text: string): Message | undefined {
  const { name, attributes = {}, timestamp } = (safeJson(text) ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || !Number.isSafeInteger(timestamp)) return undefined
  if (attributes === null || typeof attributes !== 'object') return undefined
  if (!Object.values(attributes).every(value => typeof value === 'string')) return undefined
  return { name, attributes: attributes as Record<string, string>, timestamp: timestamp as number }
}
