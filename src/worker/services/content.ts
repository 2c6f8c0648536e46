/**
 * The content file beside the terms: the project, tokenomics, roadmap, questions, links. It becomes text and links on a page that takes money,
 * so it is read completely or not at all.
 */
import { Fault } from '../../runtime/failure.ts'
import { either } from '../../runtime/schema/either.ts'
import {
  absentable,
  array,
  literal,
  object,
  string,
  type ValueOf,
  where,
  wholeNumber,
} from '../../runtime/schema/schema.ts'
import type { SaleContent } from '../../events/sale/content.ts'
import { readJson } from '../../runtime/json/readJson.ts'
import { publishedJson } from '../../runtime/json/publishedJson.ts'

/** Largest file that is read, bytes. */
export const maxContentBytes = 65_536

// Control and direction characters could make a text look like another
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u
const words = (most: number) => where(string({ least: 1, most }), text => !hidden.test(text))
const uint = string({ grammar: /^(0|[1-9][0-9]{0,20})$/ })
const fileName = string({ most: 100, grammar: /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9]+)?$/ })
const named = { name: words(60) }

const shape = object({
  format: literal('mai-presale-content/1'),
  about: absentable(object({ title: words(100), text: words(2000) })),
  tokenomics: absentable(
    object({
      supply: uint,
      note: absentable(words(300)),
      rows: array(object({ ...named, tokens: uint, bps: wholeNumber(0, 10_000) }), 1, 12),
    }),
  ),
  roadmap: absentable(
    array(
      object({ when: words(40), title: words(100), text: absentable(words(300)), done: absentable(literal(true)) }),
      1,
      12,
    ),
  ),
  questions: array(object({ question: words(200), answer: words(1000) }), 0, 30),
  links: array(
    either(object({ ...named, path: fileName }), object({ ...named, url: where(string({ most: 300 }), isHttps) })),
    0,
    20,
  ),
})

/**
 * Reads a content file.
 *
 * @param base absolute URL of the terms; a link's path is a file beside them
 * @throws Fault `bad_response` naming the place that does not fit
 */
export function readContent(text: string, base: string): SaleContent {
  const json = readJson(text, { name: 'the content file', ...publishedJson })
  const misfit = shape.check(json)
  if (misfit) throw new Fault('bad_response', `the content file expected its own shape, but not so at "${misfit.path}"`)
  const { about, tokenomics, roadmap, questions, links } = json as ValueOf<typeof shape>
  const placed = links.map(link => ({
    name: link.name,
    url: 'url' in link ? link.url : new URL(link.path, base).href,
  }))
  const rest = { ...(about && { about }), ...(roadmap && { roadmap }), questions, links: placed }
  if (!tokenomics) return rest
  const { supply, note, rows } = tokenomics
  const total = rows.reduce((sum, row) => sum + BigInt(row.tokens), 0n)
  if (total !== BigInt(supply))
    throw new Fault('bad_response', `the content file expected parts of ${supply} tokens, they are ${total}`)
  const parts = rows.map(({ name, tokens }) => ({ name, tokens }))
  return { tokenomics: { rows: parts, ...(note === undefined ? {} : { note }) }, ...rest }
}

function isHttps(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}
