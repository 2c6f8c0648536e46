/**
 * The tables of a snapshot, one for each kind of thing in the model. A table says what its rows hold, with a class for each
 * field, how rows of older builds are lifted, which rows a model has, and where a row stands in it. Rows stand in a snapshot in
 * the order of the tables.
 *
 * On disk and in recordings the types of rows end in `restated` or `Restated`, as builds before the word `snapshot` named them.
 */
import type { Table } from './table.ts'
import { deviceTables } from './deviceTables.ts'
import { saleTables } from './saleTables.ts'
import { walletTables } from './walletTables.ts'

/*#__NO_SIDE_EFFECTS__*/
function tables() {
  return { ...deviceTables(), ...walletTables(), ...saleTables() }
}

export const snapshotTables = /* @__PURE__ */ tables()

const byType: { readonly [type: string]: Table } = snapshotTables

/** @returns the table of this type; undefined when a newer build has added it */
export function tableOf(type: string): Table | undefined {
  return Object.hasOwn(byType, type) ? byType[type] : undefined
}
