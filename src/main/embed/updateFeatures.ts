import type { Surroundings } from '../../ui/react.tsx'
import { type ConfigCheck, inNameOf, known } from './config/configChecks.ts'
import { featureChecks, liveChoice, type LiveFeatures, liveFeatureNames } from './config/featuresConfig.ts'

/** Changes features of a modal in use. @throws Fault `bad_input` for a feature that cannot change now, or a wrong value */
export function updateFeatures({ dispatch }: Pick<Surroundings, 'dispatch'>, features: LiveFeatures): void {
  const checks = Object.fromEntries(liveFeatureNames.map(name => [name, featureChecks[name] as ConfigCheck]))
  inNameOf('updateFeatures', () => known(features, 'features', checks))
  const { send, receive, history: activity } = features
  const account = Object.fromEntries(
    Object.entries({ receive, send, activity }).filter(([, value]) => value !== undefined),
  )
  const isOfAccount = Object.keys(account).length > 0
  dispatch({ type: 'tab.featured', data: { features: liveChoice(features), ...(isOfAccount && { account }) } })
}
