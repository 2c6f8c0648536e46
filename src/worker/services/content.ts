/**
 * The content file beside the terms: tokenomics, questions, links. It becomes text and links on a page that takes money,
 * so it is read completely or not at all.
 */
import * as v from 'valibot'
import { Fault } from '../../runtime/failure.ts'
import { fieldPath } from '../../runtime/schema/registry.ts'
import type { SaleContent } from '../../events/sale/content.ts'
import { publishedJson, readJson } from '../../runtime/json/readJson.ts'

/** Largest file that is read, bytes. */
export const maxContentBytes = 65_536

// Control and direction characters could make a text look like another
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u
const words = (most: number) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(most),
    v.check(text => !hidden.test(text)),
  )
const uint = v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,20})$/))
const bps = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000))
const fileName = v.pipe(v.string(), v.maxLength(100), v.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9]+)?$/))
const httpsUrl = v.pipe(v.string(), v.maxLength(300), v.check(isHttps))
const named = { name: words(60) }

const shape = v.strictObject({
  format: v.literal('mai-presale-content/1'),
  tokenomics: v.exactOptional(
    v.strictObject({
      supply: uint,
      note: v.exactOptional(words(300)),
      rows: v.pipe(v.array(v.strictObject({ ...named, tokens: uint, bps })), v.minLength(1), v.maxLength(12)),
    }),
  ),
  questions: v.pipe(v.array(v.strictObject({ question: words(200), answer: words(1000) })), v.maxLength(30)),
  links: v.pipe(
    v.array(v.union([v.strictObject({ ...named, path: fileName }), v.strictObject({ ...named, url: httpsUrl })])),
    v.maxLength(20),
  ),
})

/**
 * Reads a content file.
 *
 * @param base absolute URL of the terms; a link's path is a file beside them
 * @throws Fault `bad_response` naming the place that does not fit
 */
export function readContent(text: string, base: string): SaleContent {
  const read = v.safeParse(shape, readJson(text, { name: 'the content file', ...publishedJson }), { abortEarly: true })
  if (!read.success)
    throw new Fault(
      'bad_response',
      `the content file expected its own shape, but not so at "${fieldPath(read.issues[0]) ?? ''}"`,
    )
  const { tokenomics, questions, links } = read.output
  const placed = links.map(link => ({
    name: link.name,
    url: 'url' in link ? link.url : new URL(link.path, base).href,
  }))
  if (!tokenomics) return { questions, links: placed }
  const { supply, note, rows } = tokenomics
  const total = rows.reduce((sum, row) => sum + BigInt(row.tokens), 0n)
  if (total !== BigInt(supply))
    throw new Fault('bad_response', `the content file expected parts of ${supply} tokens, they are ${total}`)
  const parts = rows.map(({ name, tokens }) => ({ name, tokens }))
  return { tokenomics: { rows: parts, ...(note === undefined ? {} : { note }) }, questions, links: placed }
}

function isHttps(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}
