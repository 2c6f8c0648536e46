/** The runtime of this product. */
import { logFormat } from '../events/log/logFormat.ts'
import { createRuntime } from '../runtime/createRuntime.ts'
import type { ProductTypes } from './core/context.ts'
import { dispatchRules } from './host/dispatchRules.ts'
import { product } from './product.ts'

export const runtime = createRuntime<ProductTypes>({
  ...product,
  dispatch: dispatchRules,
  lifeOf: ({ core }) => core.life,
  format: logFormat,
  async tables() {
    const { snapshotTables } = await import('../events/checkpoint/tables.ts')
    return snapshotTables
  },
  async replayed() {
    const { replayParts } = await import('./replay/replayParts.ts')
    return replayParts
  },
})
