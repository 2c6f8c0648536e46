/** Prints the model at a point of a recording. */
import { clockText, printable } from '../../../runtime/replay/describe.ts'
import { momentsOf } from '../../../runtime/story/moments.ts'
import { foldTo } from '../../../events/replay/foldTo.ts'
import { readRecordingAt } from '../files.ts'
import { closestWord } from '../nearest.ts'
import { pointForms, readPoint, stretchOf } from '../point.ts'
import { refused, safeJson, type Verb } from '../verb.ts'

export const at: Verb = {
  takes: 'POINT FILE [PATH] [--json]',
  summary: 'the model at a point, whole or one part of it',
  about: `Folds the recorded facts up to and including a point, and prints the model as JSON.
A point is ${pointForms}. PATH selects a part, such as order or sale.phase.`,
  options: { json: { about: 'one line: {"seq", "n", "at", "path", "model"}' } },
  async run({ words, flags }, { out, err }) {
    const [text = '', file, path, ...more] = words
    if (file === undefined || more.length > 0) {
      throw refused(`at expected a point, a file and perhaps a path, got ${words.length || 'nothing'}`)
    }
    const point = readPoint(text)
    const { records } = await readRecordingAt(file)
    const moments = momentsOf(records)
    const inputs = records.flatMap(({ record }) => (record.k === 'i' ? [record] : []))
    const { end } = stretchOf(moments, inputs, point)
    const model = partOf(foldTo(moments, end - 1), path ?? '')
    const facts = moments.slice(0, end).flatMap(({ record }) => (record.k === 'f' ? [record] : []))
    const { seq, n } = facts.at(-1) ?? { seq: 0, n: 0 }
    const time = moments[end - 1]?.record.at
    if (flags.has('json')) {
      out.write(`${safeJson({ seq, n, at: time ?? 0, path: path ?? '', model })}\n`)
      return 0
    }
    // On stderr, so that a pipe gets the JSON alone
    err.write(`after fact ${seq}, input ${n}${time === undefined ? '' : `, ${clockText(time)} UTC`}\n`)
    out.write(`${safeJson(model, 2)}\n`)
    return 0
  },
}

/** Follows a path such as `order.order-1.3.phase` or `relays[0]`. Ids may contain dots: the longest matching key is taken. */
function partOf(model: unknown, path: string): unknown {
  let part = model
  let rest = path
  while (rest !== '') {
    const keys = typeof part === 'object' && part !== null ? Object.keys(part) : []
    const isList = Array.isArray(part)
    const fits = (key: string) => {
      const step = isList ? `[${key}]` : key
      return rest === step || rest.startsWith(`${step}.`) || rest.startsWith(`${step}[`) ? [{ key, step }] : []
    }
    const found = keys.flatMap(fits).sort((a, b) => b.step.length - a.step.length)[0]
    if (!found) throw refused(noPart(rest, path, keys))
    part = (part as Record<string, unknown>)[found.key]
    rest = rest.slice(found.step.length).replace(/^\./, '')
  }
  return part
}

function noPart(rest: string, path: string, keys: readonly string[]): string {
  const where = path.slice(0, path.length - rest.length).replace(/\.$/, '')
  const near = closestWord(rest.split('.')[0] ?? '', keys)
  const known = keys.slice(0, 14).map(printable).join(', ')
  const hint = near
    ? `: did you mean ${printable(near)}?`
    : keys.length === 0
      ? ': it has no parts'
      : `: it has ${known}`
  return `${where === '' ? 'the model' : printable(where)} has no ${printable(rest).slice(0, 60)} at this point${hint}`
}
