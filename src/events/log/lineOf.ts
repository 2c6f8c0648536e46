import { snapshotTables } from '../checkpoint/tables.ts'
import { codec } from './codec.ts'
import { createLineOf } from '../../runtime/log/createLineOf.ts'

/** @returns the record's one line, without the line end */
export const lineOf = /* @__PURE__ */ createLineOf(codec, snapshotTables)
