/** Replays of this product, loaded with the code that needs them. */
import { snapshotTables } from '../../events/checkpoint/tables.ts'
import type { ProductTypes } from '../core/context.ts'
import { product } from '../product.ts'
import { replayParts } from './replayParts.ts'
import { createReplays } from '../../runtime/replay/createReplays.ts'

export const replays = createReplays<ProductTypes>(product, { tables: snapshotTables, ...replayParts })
