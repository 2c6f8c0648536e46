/** The runtime of this product. */
import { emptyCoreModel } from '../events/emptyModel.ts'
import { codec } from '../events/log/codec.ts'
import { logFormat } from '../events/log/logFormat.ts'
import { createRuntime } from '../runtime/createRuntime.ts'
import type { ProductTypes } from './core/context.ts'
import { coreRules } from './core/core.ts'
import { quarantine } from './core/quarantine.ts'
import { deciders } from './deciders/index.ts'
import { dispatchRules } from './host/dispatchRules.ts'

export const runtime = createRuntime<ProductTypes>({
  ...coreRules,
  codec,
  quarantine,
  deciders,
  dispatch: dispatchRules,
  emptyModel: emptyCoreModel,
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
