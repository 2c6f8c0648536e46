import type { Context } from 'hono'
import { namespaceOfAddress } from '../addresses.ts'
import { refused } from '../errors.ts'
import { type Names, nameProblem, zones } from './names.ts'

const isSecondVersion = (c: Context): boolean => c.req.query('apiVersion') === '2'

/** `GET /v1/profile/account/{name}`: an unknown name is an empty list, or a 404 without `apiVersion=2`. */
export function profileOf(c: Context, names: Names): Response {
  const name = c.req.param('name') ?? ''
  const problem = nameProblem(name)
  if (problem) return refused(c, 400, 'name', `${problem}: ${name}`)
  const found = names.get(name)
  if (found) return c.json(found)
  return isSecondVersion(c) ? c.json([]) : refused(c, 404, 'name', `Name is not found: ${name}`)
}

/** `GET /v1/profile/reverse/{address}`. */
export function reverse(c: Context, names: Names): Response {
  const address = c.req.param('address') ?? ''
  if (!namespaceOfAddress(address)) return refused(c, 400, 'address', `The address provided is invalid: ${address}`)
  const found = names.of(address)
  if (found.length === 0 && !isSecondVersion(c)) return refused(c, 404, 'address', `No name of ${address}`)
  return c.json(found)
}

const words =
  'alibi alice alight alive almond amber anchor apple april basil birch bobcat bobsled cedar copper delta ember fern'.split(
    ' ',
  )
const maxSuggestions = 5

/** `GET /v1/profile/suggestions/{name}`: the name itself, then free words that begin with it. */
export function suggestions(c: Context, names: Names): Response {
  const label = c.req.param('name') ?? ''
  const zone = c.req.query('zone') ?? zones[0]
  const problem = nameProblem(`${label}.${zone}`)
  if (problem) return refused(c, 400, 'name', `${problem}: ${label}`)
  const own = { name: `${label}.${zone}`, registered: names.get(`${label}.${zone}`) !== undefined }
  const others = words
    .filter(word => word.startsWith(label) && word !== label)
    .map(word => `${word}.${zone}`)
    .filter(name => !names.get(name))
    .map(name => ({ name, registered: false }))
  return c.json({ suggestions: [own, ...others].slice(0, maxSuggestions) })
}
