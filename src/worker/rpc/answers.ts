/**
 * Answers of Solana nodes. Unknown fields are ignored; integers beyond a double's precision are refused.
 * @see Solana JSON-RPC HTTP methods
 */
import { Fault } from '../../runtime/failure.ts'
import {
  absentable,
  anything,
  array,
  boolean,
  literal,
  looseObject,
  nullable,
  type Schema,
  string,
  tuple,
  type ValueOf,
  where,
  wholeNumber,
  wordOf,
} from '../../runtime/schema/schema.ts'
import { isSolanaAddress } from '../../events/values/solana/address.ts'
import { signature } from '../../events/values/solana/signature.ts'

const whole = wholeNumber(0)
const context = looseObject({ slot: whole })
const address = where(string(), isSolanaAddress)
const base64 = string({ grammar: /^[A-Za-z0-9+/]*={0,2}$/ })
/** bytes in base64, with the word that says so */
export const encodedBytes = tuple([base64, literal('base64')])

export const genesisHash: Schema<string> = address
export const blockHeight: Schema<number> = whole
/** `blockHeight` and its slot, from one bank */
export const epochInfo = looseObject({ absoluteSlot: whole, blockHeight: whole })
/** Unix seconds, null when the node does not know it */
export const blockTime = nullable(wholeNumber())

/** `data[0]` is base64 */
export const accounts = looseObject({
  context,
  value: array(nullable(looseObject({ lamports: whole, owner: address, data: encodedBytes }))),
})
export type AccountInfo = NonNullable<ValueOf<typeof accounts>['value'][number]>

/** one account, null where there is none */
export const program = looseObject({ context, value: nullable(looseObject({ executable: boolean() })) })

export const latestBlockhash = looseObject({
  context,
  value: looseObject({ blockhash: address, lastValidBlockHeight: whole }),
})

/** whether a blockhash is still usable */
export const validity = looseObject({ context, value: boolean() })

/** µlamports a compute unit */
export const prioritizationFees = array(looseObject({ prioritizationFee: whole }))

/** `err` is null on success */
export const simulation = looseObject({
  context,
  value: looseObject({ err: anything(), unitsConsumed: absentable(nullable(whole)) }),
})

const level = wordOf(['processed', 'confirmed', 'finalized'])
export type Level = ValueOf<typeof level>

export const statuses = looseObject({
  context,
  value: array(
    nullable(
      looseObject({
        slot: whole,
        confirmations: nullable(whole),
        err: anything(),
        confirmationStatus: absentable(nullable(level)),
      }),
    ),
  ),
})

/** newest first */
export const signatures = array(
  looseObject({
    signature,
    slot: whole,
    err: anything(),
    memo: absentable(nullable(string())),
    blockTime: absentable(blockTime),
    confirmationStatus: absentable(nullable(level)),
  }),
)
export type SignatureLine = ValueOf<typeof signatures>[number]

const keys = array(string({ most: 44 }))
/** addresses that a transaction took from lookup tables */
export const loadedAddresses = absentable(nullable(looseObject({ writable: keys, readonly: keys })))

/** null when the node does not have it */
export const transaction = nullable(
  looseObject({
    slot: whole,
    blockTime: absentable(blockTime),
    transaction: encodedBytes,
    meta: nullable(looseObject({ err: anything(), loadedAddresses })),
  }),
)

/**
 * @param what the method, for the error
 * @returns `value`; its fields that the schema does not name are unchecked
 * @throws Fault `bad_response` naming the field that does not fit
 */
export function readAnswer<T>(schema: Schema<T>, value: unknown, what: string): T {
  const misfit = schema.check(value)
  if (misfit)
    throw new Fault(
      'bad_response',
      `${what}, ${misfit.path || 'result'}: expected ${misfit.expected}, got ${misfit.got}`,
    )
  return value as T
}
