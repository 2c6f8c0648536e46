/** Means to read this product's log. */
import { type CoreModel, emptyCoreModel } from '../../events/app.ts'
import { codec } from '../../events/log/codec.ts'
import { logFormat } from '../../events/log/logFormat.ts'
import type { KnownLog } from './known.ts'
import type { OpenMeans } from './openJournal.ts'

export type LogState = KnownLog<CoreModel>

/** @param build of this core: its own checkpoints are verified down to the model */
export function openMeans(build?: string): OpenMeans<CoreModel> {
  return {
    emptyModel: emptyCoreModel,
    format: logFormat,
    async reading() {
      const { snapshots } = await import('../../events/checkpoint/snapshot.ts')
      return { codec, snapshots, format: logFormat, build }
    },
  }
}
