import type { Surroundings } from '../../ui/react.tsx'
import { type ConfigCheck, inNameOf, known } from './configChecks.ts'
import { featureChecks, type LiveFeatures, liveFeatureNames } from './featuresConfig.ts'

/** Changes features of a modal in use. @throws Fault `bad_input` for a feature that cannot change now, or a wrong value */
export function updateFeatures({ dispatch }: Pick<Surroundings, 'dispatch'>, features: LiveFeatures): void {
  const checks = Object.fromEntries(liveFeatureNames.map(name => [name, featureChecks[name] as ConfigCheck]))
  inNameOf('updateFeatures', () => known(features, 'features', checks))
  dispatch({ type: 'tab.featured', data: { features: { ...features } } })
}
