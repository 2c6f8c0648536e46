/** Account names. @see reference "HTTP APIs", §3.10–3.13 */
import { either } from '../../../runtime/schema/either.ts'
import {
  absentable,
  boolean,
  looseObject,
  array,
  anything,
  record,
  string,
  type ValueOf,
} from '../../../runtime/schema/schema.ts'
import { recordOf } from '../../../runtime/json/isRecord.ts'
import { cleanText } from '../../../events/values/text/cleanText.ts'
import { answerReader, bareAddress, keptEntries, rawList } from './fields.ts'

const fullName = string({ least: 1, most: 255, grammar: /^[a-z0-9.-]+$/ })
const nameShape = looseObject({
  name: fullName,
  attributes: absentable(anything()),
  addresses: record(looseObject({ address: bareAddress }), /^[0-9]{1,10}$/),
})

/** `addresses` are plain, by coin type (ENSIP-11); an unknown name has none. */
type NameRecord = { name: string; addresses: Record<string, string>; attributes: [name: string, value: string][] }

const unknownName: NameRecord = { name: '', addresses: {}, attributes: [] }

/** The service answers an unknown name with an empty list. */
export const readName = answerReader(either(nameShape, array(anything(), 0, 0)), found =>
  Array.isArray(found) ? unknownName : keepName(found),
)

export const readNames = answerReader(rawList(50), list => {
  const { entries, dropped } = keptEntries(list, nameShape, keepName, ({ name }) => name)
  return { names: entries, dropped }
})

function keepName({ name, attributes, addresses }: ValueOf<typeof nameShape>): NameRecord {
  return {
    name,
    addresses: Object.fromEntries(Object.entries(addresses).map(([coin, { address }]) => [coin, address])),
    attributes: Object.entries(recordOf(attributes))
      .slice(0, 20)
      .flatMap(([key, value]) => (typeof value === 'string' ? [[cleanText(key, 60), cleanText(value, 255)]] : [])),
  }
}

const suggestionShape = looseObject({ name: fullName, registered: boolean() })

/** The exact match comes first. */
export const readSuggestions = answerReader(looseObject({ suggestions: rawList(20) }), ({ suggestions }) => {
  const keep = ({ name, registered }: ValueOf<typeof suggestionShape>) => ({ name, registered })
  const { entries, dropped } = keptEntries(suggestions, suggestionShape, keep, ({ name }) => name)
  return { suggestions: entries, dropped }
})

/** The service answers a registration with the name; other builds of it say `success`. */
export const readRegistration = answerReader(either(nameShape, looseObject({ success: boolean() })), said => ({
  success: !('success' in said) || said.success === true,
}))
