/**
 * Parts that answers of the Blockchain API share. Amounts and prices become decimal text; no arithmetic runs on a float.
 */
import { array, anything, custom, type Schema, string } from '../../../runtime/schema/schema.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { cleanText } from '../../../events/values/text/cleanText.ts'
import { isOfSolana } from '../../../events/values/networks.ts'
import { readAnswer } from '../../rpc/answers.ts'

/** Reads the JSON of an answer. @param what the answer, for the error. @throws Fault `bad_response` naming the field */
export type AnswerReader<P, A> = (body: unknown, what: string, params: P) => A

/** @returns a reader of answers of this shape; unknown fields are dropped by `keep`, which names those it keeps */
export function answerReader<T, P, A>(shape: Schema<T>, keep: (value: T, params: P) => A): AnswerReader<P, A> {
  return (body, what, params) => keep(readAnswer(shape, body, what), params)
}

/** A list whose entries are checked one by one. */
export function rawList(most: number): Schema<unknown[]> {
  return array(anything(), 0, most)
}

/**
 * @param idOf of two entries with one id the first is kept; absent: none has an id
 * @returns the well-formed entries, and how many were malformed or repeated
 */
export function keptEntries<T, R>(
  list: readonly unknown[],
  shape: Schema<T>,
  keep: (entry: T) => R,
  idOf?: (kept: R) => string,
): { entries: R[]; dropped: number } {
  const kept = list.filter((entry): entry is T => shape.check(entry) === undefined).map(keep)
  const known = new Set<string>()
  const entries = kept.filter(one => {
    const id = idOf?.(one)
    const isFirst = id === undefined || !known.has(id)
    if (id !== undefined) known.add(id)
    return isFirst
  })
  return { entries, dropped: list.length - entries.length }
}

/** A number as JSON may hold it: text, a double, or a bigint where the reader of JSON found a long integer. */
type Written = string | number | bigint

const decimalForm = /^(?:0|[1-9][0-9]{0,77})(?:\.[0-9]{1,36})?$/
const unitsForm = /^(?:0|[1-9][0-9]{0,77})$/

/** A decimal number of 0 or more. A whole number beyond 2^53 - 1 that became a double is refused: it may be rounded. */
export const decimal: Schema<Written> = custom(
  value => isWritten(value) && decimalForm.test(plainText(value)),
  'a decimal number of 0 or more',
)

/** A decimal number that is an amount: a double of more than 15 digits is refused, too, as it may be rounded. */
export const amount: Schema<Written> = custom(
  value => decimal.check(value) === undefined && (typeof value !== 'number' || digitsOf(value).length <= 15),
  'an exact decimal number of 0 or more',
)

function digitsOf(value: number): string {
  return plainText(value).replace('.', '').replace(/^0+/, '')
}

/** Whole base units of at most 256 bits, as Ethereum counts them. */
export const units: Schema<Written> = custom(
  value => isWritten(value) && unitsForm.test(plainText(value)) && BigInt(plainText(value)) < 1n << 256n,
  'whole base units below 2^256',
)

/** @returns plain digits without an exponent; of a double the shortest that read as the same double */
export function plainText(value: Written): string {
  const text = String(value)
  // A text with an exponent stays one and is refused: it could ask for a billion zeros
  const exponent = typeof value === 'number' ? /^([0-9])(?:\.([0-9]+))?e-([0-9]+)$/.exec(text) : null
  if (!exponent) return text
  const [, first = '', rest = '', zeros = ''] = exponent
  return `0.${'0'.repeat(Number(zeros) - 1)}${first}${rest}`
}

function isWritten(value: unknown): value is Written {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value)
  return typeof value === 'string' || typeof value === 'bigint'
}

const longestLabel = 60

/** A name or a symbol that shows at least one character once it is clean. */
export const label: Schema<string> = custom(
  value => typeof value === 'string' && cleanText(value, longestLabel) !== '',
  'a text that shows',
)

/** @returns a name or a symbol in one line of at most 60 characters; '' for another value */
export function labelText(value: unknown): string {
  return typeof value === 'string' ? cleanText(value, longestLabel) : ''
}

/** CAIP-2 */
export const chainId: Schema<string> = string({ grammar: /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/ })

/** CAIP-10 */
export const accountId: Schema<string> = custom(
  value => typeof value === 'string' && chainAndAddress(value) !== undefined,
  'a CAIP-10 address',
)

/** Plain address of any namespace. */
export const bareAddress: Schema<string> = string({ grammar: /^[-.%a-zA-Z0-9]{1,128}$/ })

/** @returns chain and plain address of a CAIP-10 text; undefined when it is none */
export function chainAndAddress(text: string): { chain: string; address: string } | undefined {
  const colon = text.lastIndexOf(':')
  const [chain, address] = [text.slice(0, colon), text.slice(colon + 1)]
  return chainId.check(chain) === undefined && isAddressOn(chain, address) ? { chain, address } : undefined
}

/** @returns whether a plain address is well-formed on a chain */
export function isAddressOn(chain: string, address: string): boolean {
  if (isOfSolana(chain)) return isSolanaAddress(address) || address === solanaMarker
  if (chain.startsWith('eip155:')) return /^0x[0-9a-fA-F]{40}$/.test(address)
  return bareAddress.check(address) === undefined
}

const solanaMarker = 'So11111111111111111111111111111111111111111'

/** @returns whether an address stands for the chain's own asset. @see reference "Networks", §4 */
export function isNativeMarker(chain: string, address: string): boolean {
  if (isOfSolana(chain)) return address === solanaMarker
  return chain.startsWith('eip155:') && /^0xe{40}$/i.test(address)
}
