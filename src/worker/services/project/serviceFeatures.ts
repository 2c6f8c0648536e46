/** Features as the project configuration service lists them. @see reference "HTTP APIs", §4.1 */
import { absentable, array, boolean, looseObject, nullable, string } from '../../../runtime/schema/schema.ts'
import { readAnswer } from '../../rpc/answers.ts'
import { keptEntries, rawList } from '../blockchain/fields.ts'
import type { ServiceFeature } from './features.ts'

const shape = looseObject({ features: rawList(200) })
const featureShape = looseObject({
  id: string({ grammar: /^[a-z0-9_]{1,64}$/ }),
  isEnabled: boolean(),
  config: absentable(nullable(array(string({ grammar: /^[-_.a-zA-Z0-9]{1,64}$/ }), 0, 100))),
})

/**
 * @param body answer of `GET /appkit/v1/config`
 * @returns features, of two with one id the first; one that lacks `config` counts as missing, a malformed one is dropped and
 *   counted
 * @throws Fault `bad_response` when there is no list
 */
export function readServiceFeatures(body: unknown): { features: ServiceFeature[]; dropped: number } {
  const { entries, dropped } = keptEntries(
    readAnswer(shape, body, 'the project configuration').features,
    featureShape,
    one => one,
  )
  const features = new Map<string, ServiceFeature>()
  for (const { id, isEnabled, config } of entries)
    if (config !== undefined && !features.has(id)) features.set(id, { id, isEnabled, ...(config && { config }) })
  return { features: [...features.values()], dropped }
}
