/**
 * Answers of Solana nodes. Unknown fields are ignored; integers beyond a double's precision are refused.
 * @see Solana JSON-RPC HTTP methods
 */
import * as v from 'valibot'
import { Fault } from '../../runtime/failure.ts'
import { shownValue } from '../../runtime/schema/registry.ts'
import { isSolanaAddress } from '../../events/values/address.ts'
import { decodeBase58 } from '../../events/values/base58.ts'

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const context = v.object({ slot: whole })
const address = v.pipe(
  v.string(),
  v.check(text => isSolanaAddress(text)),
)
const base64 = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]*={0,2}$/))
const encoded = v.tuple([base64, v.literal('base64')])
/** base58 of 64 bytes */
export const signature: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.maxLength(90),
  v.check(text => decodeBase58(text)?.length === 64),
)

export const genesisHash: v.GenericSchema<unknown, string> = address
export const blockHeight: v.GenericSchema<unknown, number> = whole
/** `blockHeight` and its slot, from one bank */
export const epochInfo = v.object({ absoluteSlot: whole, blockHeight: whole })
/** Unix seconds, null when the node does not know it */
export const blockTime = v.nullable(v.pipe(v.number(), v.safeInteger()))

/** `data[0]` is base64 */
export const accounts = v.object({
  context,
  value: v.array(v.nullable(v.object({ lamports: whole, owner: address, data: encoded }))),
})
export type AccountInfo = NonNullable<v.InferOutput<typeof accounts>['value'][number]>

export const latestBlockhash = v.object({
  context,
  value: v.object({ blockhash: address, lastValidBlockHeight: whole }),
})

/** whether a blockhash is still usable */
export const validity = v.object({ context, value: v.boolean() })

/** µlamports a compute unit */
export const prioritizationFees = v.array(v.object({ prioritizationFee: whole }))

/** `err` is null on success */
export const simulation = v.object({
  context,
  value: v.object({ err: v.unknown(), unitsConsumed: v.optional(v.nullable(whole)) }),
})

const level = v.picklist(['processed', 'confirmed', 'finalized'])
export type Level = v.InferOutput<typeof level>

export const statuses = v.object({
  context,
  value: v.array(
    v.nullable(
      v.object({
        slot: whole,
        confirmations: v.nullable(whole),
        err: v.unknown(),
        confirmationStatus: v.optional(v.nullable(level)),
      }),
    ),
  ),
})

/** newest first */
export const signatures = v.array(
  v.object({
    signature,
    slot: whole,
    err: v.unknown(),
    memo: v.optional(v.nullable(v.string())),
    blockTime: v.optional(blockTime),
    confirmationStatus: v.optional(v.nullable(level)),
  }),
)
export type SignatureLine = v.InferOutput<typeof signatures>[number]

/** null when the node does not have it */
export const transaction = v.nullable(
  v.object({
    slot: whole,
    blockTime: v.optional(blockTime),
    transaction: encoded,
    meta: v.nullable(v.object({ err: v.unknown() })),
  }),
)

/**
 * @param what the method, for the error
 * @returns `value` as the schema's output
 * @throws Fault `bad_response` naming the field that does not fit
 */
export function readAnswer<T>(schema: v.GenericSchema<unknown, T>, value: unknown, what: string): T {
  const read = v.safeParse(schema, value, { abortEarly: true })
  if (read.success) return read.output
  const issue = read.issues[0]
  const place = v.getDotPath(issue) ?? 'result'
  const got = shownValue(issue.received)
  // The library's own message quotes the answer
  throw new Fault('bad_response', `${what}, ${place}: expected ${issue.expected ?? 'another value'}, got ${got}`)
}
