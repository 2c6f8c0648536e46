/** The reader of untrusted lines of this product's log. */
import { snapshotTables } from '../checkpoint/tables.ts'
import { codec } from './codec.ts'
import { createDecoder } from '../../runtime/log/createDecoder.ts'

export const decoder = /* @__PURE__ */ createDecoder(codec, snapshotTables)
export const { decode, isKnownType } = decoder
