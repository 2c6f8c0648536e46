/** Edits of recorded inputs, from the command line or a file. */
import { isRecord, recordOf } from '../../../runtime/json/isRecord.ts'
import { readFile } from 'node:fs/promises'
import { versionOf } from '../../../events/log/codec.ts'
import { decode, isKnownType } from '../../../events/log/decode.ts'
import { printable } from '../../../runtime/replay/describe.ts'
import { toFailure } from '../../../runtime/failure.ts'
import type { InputRecord } from '../../../runtime/log/record.ts'
import { readObject } from '../../../runtime/recording/formLine.ts'
import { refused } from '../verb.ts'

/** Changes input `n` of the recording, drops it, or inserts another one after it. */
export type Edit = { do: 'edit' | 'drop' | 'insert'; n: number; with?: Record<string, unknown> }

/**
 * Reads `--edit 12=JSON`, `--insert 12=JSON`, `--drop 12`; the JSON may be `@file`.
 *
 * @throws Fault `bad_input` naming the option
 */
export async function readEdit(kind: Edit['do'], text: string): Promise<Edit> {
  const [, n = '', , given] = /^(\d{1,9})(=([^]*))?$/.exec(text) ?? []
  if (n === '' || (given === undefined) !== (kind === 'drop')) {
    const form =
      kind === 'drop'
        ? 'the number of an input'
        : `N={…}, such as ${kind === 'edit' ? '12={"data":{…}}' : '12={"type":"page.online","data":{…}}'}`
    throw refused(`--${kind} expected ${form}, got ${printable(text).slice(0, 60) || 'nothing'}`)
  }
  if (given === undefined) return { do: kind, n: Number(n) }
  return {
    do: kind,
    n: Number(n),
    with: parsed(given.startsWith('@') ? await textOf(given.slice(1)) : given, `--${kind} ${n}`),
  }
}

/** @throws Fault `bad_input` when the file cannot be read */
export async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => {
    throw refused(`${path} could not be read as text`)
  })
}

/** Reads a list of edits: `[{"edit": 12, "with": {…}}, {"drop": 13}, {"insert": 14, "with": {…}}]`. */
export function readEdits(text: string): Edit[] {
  const { edits } = parsed(`{"edits":${text}}`, '--edits') as { edits: unknown }
  if (!Array.isArray(edits)) throw refused('--edits expected a JSON list, got another value')
  return edits.map((edit: unknown, index) => {
    const fields = recordOf(edit)
    const kind = (['edit', 'drop', 'insert'] as const).find(word => Object.hasOwn(fields, word))
    const n = kind && fields[kind]
    const more = fields.with
    const fits = kind === 'drop' ? more === undefined : isRecord(more)
    if (!kind || !Number.isSafeInteger(n) || !fits) {
      throw refused(
        `--edits expected {"edit" or "insert": N, "with": {…}} or {"drop": N} at index ${index}, got another value`,
      )
    }
    return { do: kind, n: n as number, ...(fits && kind !== 'drop' ? { with: more as Record<string, unknown> } : {}) }
  })
}

function parsed(text: string, what: string): Record<string, unknown> {
  try {
    return readObject(text.trim(), what) as Record<string, unknown>
  } catch (fault) {
    throw refused(toFailure(fault).message)
  }
}

/** An input of the new run; `from` is its number in the recording, absent for an inserted one. */
export type Edited = { input: InputRecord; from?: number; how?: 'edited' | 'inserted' }

/**
 * @returns the inputs of the new run
 * @throws Fault `bad_input` for a number that the recording does not have, and for an input that does not fit its type
 */
export function applyEdits(inputs: readonly InputRecord[], edits: readonly Edit[]): Edited[] {
  const [first, last] = [inputs[0]?.n ?? 0, inputs.at(-1)?.n ?? 0]
  for (const { do: kind, n } of edits) {
    if (n < first - (kind === 'insert' ? 1 : 0) || n > last) {
      throw refused(`--${kind} expected an input from ${first} to ${last}, got ${n}`)
    }
  }
  const inserted = (n: number, before: InputRecord | undefined): Edited[] =>
    edits.flatMap(edit =>
      edit.do === 'insert' && edit.n === n
        ? [{ input: made(edit, { at: before?.at ?? inputs[0]?.at ?? 0 }), how: 'inserted' as const }]
        : [],
    )
  const run = inserted(first - 1, undefined)
  for (const input of inputs) {
    const own = edits.filter(edit => edit.n === input.n)
    if (!own.some(edit => edit.do === 'drop')) {
      const changed = own.filter(edit => edit.do === 'edit').reduce((before, edit) => made(edit, before), input)
      run.push(changed === input ? { input, from: input.n } : { input: changed, from: input.n, how: 'edited' })
    }
    run.push(...inserted(input.n, input))
  }
  return run
}

/** @returns an input with changed fields; `data` is merged by field, and null removes a field */
function made(edit: Edit, before: Partial<InputRecord>): InputRecord {
  const { data, ...fields } = edit.with ?? {}
  const what = `--${edit.do} ${edit.n}`
  const type = fields.type ?? before.type
  if (typeof type !== 'string') throw refused(`${what} expected a type, got none`)
  const whole: Record<string, unknown> = {
    ...before,
    v: versionOf('i', type),
    ...fields,
    k: 'i',
    n: before.n ?? edit.n,
  }
  const kept = fields.type === undefined || fields.type === before.type ? before.data : {}
  whole.data = withoutNull({ ...kept, ...(data as Record<string, unknown> | undefined) })
  try {
    const read = decode(JSON.stringify(withoutNull(whole)))
    if (read.k === 'i' && isKnownType(read)) return read
  } catch (fault) {
    throw refused(`${what}: ${toFailure(fault).message}`)
  }
  throw refused(`${what} expected a type that this build knows, got ${printable(type).slice(0, 60)}`)
}

function withoutNull(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
