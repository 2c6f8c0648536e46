/** Signed statements of one-click auth: nothing counts as signed that was not. */
import { inputDefinitions } from '../../../src/events/input.ts'
import { misfit } from '../../../src/events/registry.ts'
import { readStatements } from '../../../src/worker/drivers/statements.ts'
import { recordedCacaos } from '../../worker/walletconnect/recordedCacaos.ts'
import { changedText } from '../changedText.ts'
import { isRecord } from '../grammars/wanted.ts'
import { changedJson } from '../hostileJson.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const recorded = recordedCacaos() as unknown as readonly Record<string, unknown>[]
const texts = recorded.map(cacao => JSON.stringify(cacao))

/** What is in a statement's text, whatever way it is written down; `undefined` where there is no such statement. */
function contentOf(cacao: unknown): string | undefined {
  const { p, s } = isRecord(cacao) ? cacao : { p: undefined, s: undefined }
  if (!isRecord(p) || !isRecord(s) || typeof s.s !== 'string') return undefined
  const words = typeof p.statement === 'string' ? p.statement.split(' I further authorize')[0] : p.statement
  const said = [p.iss, p.domain, p.aud || p.uri, p.version, p.nonce, p.iat, words || '', p.exp || '', p.nbf || '']
  // The last byte tells which of two keys it was, and has two ways of being written
  return JSON.stringify([...said, p.requestId || '', p.resources ?? '', s.s.toLowerCase().slice(0, 130)])
}

const genuine = new Set(recorded.map(contentOf))

function made(random: Random): string {
  const list = Array.from({ length: 1 + random.below(2) }, () => {
    const text = random.pick(texts)
    const way = random.below(4)
    return way === 0 ? text : way === 1 ? swapped(random, text) : changedJson(random, text)
  })
  return random.oneIn(12) ? changedText(random, `[${list}]`, texts[0] ?? '') : `[${list}]`
}

/** One of the texts in it changed in a character or two. */
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

/** Whether all of it stands there as recorded, byte for byte. */
function isRecorded(given: unknown): boolean {
  return Array.isArray(given) && given.length > 0 && given.every(cacao => texts.includes(JSON.stringify(cacao)))
}
