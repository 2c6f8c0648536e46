import { type CoreModel, emptyCoreModel } from '../app.ts'
import { foldRestated } from './foldRestated.ts'
import type { RestatedRecord } from '../log/record.ts'

/** @returns the model restored from these restated facts */
export function worldOf(restated: Iterable<Pick<RestatedRecord, 'type' | 'data'>>): CoreModel {
  const model = emptyCoreModel()
  for (const record of restated) foldRestated(model, record)
  return model
}
