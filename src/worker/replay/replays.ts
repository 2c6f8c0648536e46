/** Replays of this product, loaded with the code that needs them. */
import { emptyCoreModel } from '../../events/emptyModel.ts'
import { codec } from '../../events/log/codec.ts'
import { snapshotTables } from '../../events/checkpoint/tables.ts'
import type { ProductTypes } from '../core/context.ts'
import { coreRules } from '../core/core.ts'
import { deciders } from '../deciders/index.ts'
import { replayParts } from './replayParts.ts'
import { createReplays } from '../../runtime/replay/createReplays.ts'

export const replays = createReplays<ProductTypes>(
  { ...coreRules, codec, deciders, emptyModel: emptyCoreModel },
  { tables: snapshotTables, ...replayParts },
)
