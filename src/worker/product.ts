/** The parts of this product that its runtime and its replays share. */
import { emptyCoreModel } from '../events/emptyModel.ts'
import { coreRules } from './core/core.ts'
import { deciders } from './deciders/index.ts'

export const product = { ...coreRules, deciders, emptyModel: emptyCoreModel }
