import { produce } from 'immer'
import type { CoreSideFact, Model, PageFact } from '../../../src/events/app.ts'
import { fold } from '../../../src/events/coreFolds.ts'
import { emptyModel } from '../../../src/events/emptyModel.ts'

export type Said = CoreSideFact | PageFact

/** Folds one more fact, a second after the one before. */
export function after(model: Model, fact: Said, at = 1000): Model {
  return produce(model, draft => fold(draft, { ...fact, at }))
}

/** Fold of facts: the first at 1 s, each a second after the one before. */
export function given(...facts: Said[]): Model {
  return facts.reduce((model, fact, index) => after(model, fact, (index + 1) * 1000), emptyModel())
}

export const refusal = { code: 'user_rejected', message: 'no' } as const
export const wallet = { walletId: 'lantern', name: 'Lantern' }
