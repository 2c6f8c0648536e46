/** View replay of this product. */
import { copyOf } from '../../runtime/json/copyOf.ts'
import { foldMoments, type Moment, type StoryFolds } from '../../runtime/story/moments.ts'
import type { CoreModel, Model, PageModel } from '../app.ts'
import { emptyCoreModel, emptyPageModel } from '../emptyModel.ts'
import { foldCoreFact } from '../coreFolds.ts'
import { foldPageFact } from '../pageFolds.ts'
import { modelOf } from '../checkpoint/snapshot.ts'

export const storyFolds: StoryFolds<CoreModel, PageModel> = {
  emptyCore: emptyCoreModel,
  emptyPage: emptyPageModel,
  foldCore: foldCoreFact,
  foldPage: foldPageFact,
}

/**
 * Folds the story up to and including one moment, from the beginning.
 *
 * @param index −1 for before everything
 * @returns a model of its own; the page's part is that of the last tab with a fact
 */
export function foldTo(moments: readonly Moment[], index: number): Model {
  const world = moments[0]?.world
  // Folds write into the data they get, and the same world is folded again and again
  const begin = world ? modelOf(copyOf(world)) : emptyCoreModel()
  const { core, page } = foldMoments(storyFolds, begin, moments, index)
  return { ...core, ...page }
}
