/**
 * Leaf schemas of the product's measures, times and names. Each also chooses how a redacted recording replaces its values: see
 * `scaleOf`.
 */
import type { Field } from '../../runtime/schema/registry.ts'
import { nullable, type Schema, string, wholeNumber } from '../../runtime/schema/schema.ts'

const unsigned = /^(0|[1-9][0-9]{0,38})$/
/** Whole base units of an asset that is paid or held, in decimal text. */
export const baseUnits: Schema<string> = /* @__PURE__ */ string({ grammar: unsigned })

/** Milliseconds since the Unix epoch, by this device's clock or a relay's. */
export const instant: Schema<number> = /* @__PURE__ */ wholeNumber()
/** Milliseconds since the Unix epoch, by the chain's clock. */
export const chainInstant: Schema<number> = /* @__PURE__ */ wholeNumber()
/** A payload's id as a number, or what is left of it: it holds its sender's clock. */
export const stamp: Schema<number> = /* @__PURE__ */ wholeNumber()
/** A slot of the chain. */
export const slot: Schema<number> = /* @__PURE__ */ wholeNumber()
/** Slot and chain time of a checkpoint. They are public, so values near them reveal when. */
export const publishedSlot: Schema<number> = /* @__PURE__ */ wholeNumber()
export const publishedTime: Schema<number> = /* @__PURE__ */ wholeNumber()
/** A time of the authority's word: by this device's clock, or as the authority signed and published it. */
export const signedTime: Schema<number> = /* @__PURE__ */ wholeNumber()
/** A notice's number. Notices are public, so it reveals between which two of them something happened. */
export const noticeNumber: Schema<number> = /* @__PURE__ */ wholeNumber()
/** A block height of the chain. */
export const height: Schema<number> = /* @__PURE__ */ wholeNumber()
/** Compute units, used or allowed. */
export const computeUnits: Schema<number> = /* @__PURE__ */ wholeNumber()
/** Micro-lamports a compute unit, in decimal text. */
export const computePrice: Schema<string> = /* @__PURE__ */ string({ grammar: unsigned })
/** Lamports of a transaction's whole fee, in decimal text. */
export const feeUnits: Schema<string> = /* @__PURE__ */ string({ grammar: unsigned })
/** An amount as a person types it, in an asset's whole units. */
export const typedAmount: Schema<string> = /* @__PURE__ */ string({ most: 4096 })
/** Base units of the token on sale, as an order names them. */
export const tokenUnits: Schema<string> = /* @__PURE__ */ string({ grammar: unsigned })
/** An amount of the whole sale: a balance of the treasury, what was raised or sold. */
export const saleUnits: Schema<string> = /* @__PURE__ */ string({ grammar: unsigned })
/** Credits that published terms give for a base unit of an asset. */
export const creditRate: Schema<string> = /* @__PURE__ */ string({ grammar: unsigned })
/** A public key or hash of the chain that leads to all its users: an address of the sale, a blockhash. */
export const chainKey: Schema<string> = /* @__PURE__ */ string({ most: 4096 })
/** A name that a wallet or a host chose: of a method, an event, a chain. Well-known ones may be read by anyone. */
export const chosenName: Schema<string> = /* @__PURE__ */ string({ most: 4096 })

/** Like `chosenName`, of 1 to 200 characters. */
export const chosenId: Schema<string> = /* @__PURE__ */ string({ least: 1, most: 200 })
/** An amount in base units, as a difference shows it. */
export const shownUnits: Schema<string> = /* @__PURE__ */ string({ most: 4096 })

/** An amount or a price that is shown and read by no decision, in decimal text; null where it is unknown. */
export const shownAmount: Schema<string> = /* @__PURE__ */ string({ grammar: /^[0-9]{1,78}(\.[0-9]{1,36})?$/ })
export const maybeAmount: Schema<string | null> = /* @__PURE__ */ nullable(shownAmount)
/** A time that is shown and read by no decision, ms since the Unix epoch. */
export const shownInstant: Schema<number> = /* @__PURE__ */ wholeNumber()

/** How redaction replaces a value. By its class, a value without a scale stays, becomes a token or is blanked. */
export type Scale =
  | 'time'
  | 'chainTime'
  | 'stamp'
  | 'slot'
  | 'publishedSlot'
  | 'publishedTime'
  | 'signedTime'
  | 'noticeNumber'
  | 'height'
  | 'amount'
  | 'typed'
  | 'token'
  | 'sale'
  | 'fee'
  | 'compute'
  | 'price'
  | 'key'
  | 'name'
  | 'blank'

/** @returns the scale of a field, by its schema: a new field gets the scale of its kind */
export function scaleOf({ schema }: Field): Scale | undefined {
  switch (schema) {
    case instant:
      return 'time'
    case chainInstant:
      return 'chainTime'
    case stamp:
      return 'stamp'
    case slot:
      return 'slot'
    case publishedSlot:
      return 'publishedSlot'
    case publishedTime:
      return 'publishedTime'
    case signedTime:
      return 'signedTime'
    case noticeNumber:
      return 'noticeNumber'
    case height:
      return 'height'
    case baseUnits:
    case shownUnits:
      return 'amount'
    case typedAmount:
      return 'typed'
    case tokenUnits:
      return 'token'
    case saleUnits:
      return 'sale'
    case feeUnits:
      return 'fee'
    case computeUnits:
      return 'compute'
    case computePrice:
      return 'price'
    case chainKey:
      return 'key'
    case chosenName:
    case chosenId:
      return 'name'
    case shownAmount:
    case maybeAmount:
    case shownInstant:
      return 'blank'
    default:
      return undefined
  }
}
