/** Signed statements of one-click auth: nothing unsigned may count as signed. */
import { inputDefinitions } from '../../../src/events/input.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import { readStatements } from '../../../src/worker/drivers/walletconnect/statements.ts'
import { recordedCacaos } from '../../worker/walletconnect/recordedCacaos.ts'
import { changedText } from '../changedText.ts'
import { isRecord } from '../grammars/wanted.ts'
import { changedJson } from '../hostileJson.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const recorded = recordedCacaos() as unknown as readonly Record<string, unknown>[]
const texts = recorded.map(cacao => JSON.stringify(cacao))

/** A statement's content, independent of its encoding; `undefined` if there is no such statement. */
function contentOf(cacao: unknown): string | undefined {
  const { p, s } = isRecord(cacao) ? cacao : { p: undefined, s: undefined }
  if (!isRecord(p) || !isRecord(s) || typeof s.s !== 'string') return undefined
  const words = typeof p.statement === 'string' ? p.statement.split(' I further authorize')[0] : p.statement
  const said = [p.iss, p.domain, p.aud || p.uri, p.version, p.nonce, p.iat, words || '', p.exp || '', p.nbf || '']
  // The last byte is the recovery id, with two encodings
  return JSON.stringify([...said, p.requestId || '', p.resources ?? '', s.s.toLowerCase().slice(0, 130)])
}

const genuine = new Set(recorded.map(contentOf))

function made(random: Random): string {
  const list = Array.from({ length: 1 + random.below(2) }, () => {
    const text = random.pick(texts)
    const way = random.below(5)
    if (way === 0) return text
    if (way === 1) return swapped(random, text)
    return way === 2 ? sized(random, text) : changedJson(random, text)
  })
  return random.oneIn(12) ? changedText(random, `[${list}]`, texts[0] ?? '') : `[${list}]`
}

/** Lengths at and around the limits of ids, texts and long texts. */
const lengths = [0, 1, 199, 200, 201, 300, 4096, 4097, 5000, 8192, 8193, 65_536, 65_537]

/** Gives one part a length at or beyond a limit. */
function sized(random: Random, text: string): string {
  const cacao = JSON.parse(text) as { p: Record<string, unknown>; s: Record<string, unknown> }
  const { p, s } = cacao
  const long = (letter = 'x') => letter.repeat(random.pick(lengths))
  const name = random.pick([
    'domain',
    'aud',
    'nonce',
    'requestId',
    'statement',
    'iat',
    'exp',
    'resources',
    'recap',
    's',
  ])
  if (name === 'resources') p.resources = Array.from({ length: random.pick([1, 20, 100, 101]) }, () => long())
  else if (name === 'recap') {
    const abilities = Object.fromEntries([[`request/${long('m')}`, [{ chains: ['eip155:1'] }]]])
    p.resources = [`urn:recap:${Buffer.from(JSON.stringify({ att: { eip155: abilities } })).toString('base64')}`]
  } else if (name === 's') s.s = `0x${long('ab')}`
  else p[name] = long()
  if (random.oneIn(4)) s.t = 'eip1271'
  return JSON.stringify(cacao)
}

/** Changes one of its texts in a character or two. */
function swapped(random: Random, text: string): string {
  const places = [...text.matchAll(/:"([^"\\]{1,400})"/g)]
  const place = places[random.below(places.length)]
  if (!place) return text
  const from = place.index + 2
  const changed = changedText(random, place[1] ?? '', 'abc0123').replace(/["\\\n\r]/g, 'x')
  return text.slice(0, from) + changed + text.slice(from + (place[1]?.length ?? 0))
}

export const statements: Reader = {
  name: 'statements',
  share: 6,
  make: made,
  judge(input, read) {
    let given: unknown
    try {
      given = JSON.parse(input)
    } catch {
      return refused
    }
    const found = read(() => readStatements(given))
    if ('fault' in found) return wrong(false, 'statements ended in a fault, not in a problem with words')
    const { signed, problem } = found.value
    if (signed === undefined) {
      if (problem === undefined || !/\S+ \S+/.test(problem)) return wrong(false, 'a statement is refused without words')
      return isRecorded(given) ? wrong(false, `a recorded statement was refused: ${problem}`) : refused
    }
    const unfit = misfit(inputDefinitions['relay.message'], { ...around, payload: { kind: 'result', id: '1', signed } })
    if (unfit !== undefined) return wrong(true, `statements were read as what no core can take: ${unfit}`)
    for (const { verdict, cacao } of signed) {
      const isGenuine = genuine.has(contentOf(JSON.parse(cacao)))
      if (verdict === 'valid' && !isGenuine) return wrong(true, 'a statement counts as signed that nobody signed')
    }
    if (isRecorded(given) && signed.some(({ verdict }) => verdict !== 'valid'))
      return wrong(true, 'a recorded statement does not count as signed')
    return taken
  },
}

const around = { pushId: '1', topic: 'a'.repeat(64), hash: 'b'.repeat(64), publishedAt: 0, tag: 0 }

/** Whether all of it equals a recorded one, byte for byte. */
function isRecorded(given: unknown): boolean {
  return Array.isArray(given) && given.length > 0 && given.every(cacao => texts.includes(JSON.stringify(cacao)))
}
