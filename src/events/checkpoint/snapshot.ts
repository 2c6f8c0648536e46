/** The snapshots of this product's model. */
import { emptyCoreModel } from '../emptyModel.ts'
import { codec } from '../log/codec.ts'
import { createSnapshots } from '../../runtime/log/createSnapshots.ts'
import { snapshotTables } from './tables.ts'

export const snapshots = /* @__PURE__ */ createSnapshots(codec, {
  tables: snapshotTables,
  emptyModel: emptyCoreModel,
})
export const { modelOf, subjectHashes, checkpointLines } = snapshots
