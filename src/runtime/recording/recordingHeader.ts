/** Line 1 of a recording: its format, the builds that wrote it, its redaction. */
import { longestLine } from '../log/createDecoder.ts'
import { Fault } from '../failure.ts'
import { isRecord } from '../json/isRecord.ts'
import type { SubjectHashes } from '../log/createSnapshots.ts'
import { parseSafely } from './formLine.ts'
import { badLine } from './badLine.ts'

/**
 * A product's recordings: the format that its files name, and what may be redacted in them. `restating` is the type of the page
 * fact that restates a page which comes from another log.
 */
export type RecordingKind = { format: string; redactions: readonly string[]; restating?: string }

/** Writers use the newest version. Version 1 has other lines of effects, and an input's `to` at its end. */
const versions = [1, 2] as const

/**
 * Line 1. `startedAt` is ms since the Unix epoch, the builds are hashes. `state`: the model of the core at the recording's end,
 * by subject; absent where no core of `coreBuild` stood there, and in files of older builds.
 */
export type RecordingHeader = {
  format: string
  version: (typeof versions)[number]
  logId: string
  appBuild: string
  coreBuild: string
  registryHash: string
  startedAt: number
  redaction: string
  state?: SubjectHashes
}

/**
 * Reads the first line.
 *
 * @param whole the line has a line end
 * @throws Fault `bad_input`: another kind of file is not a recording; a recording's header is refused by its key
 */
export function readHeader({ format, redactions }: RecordingKind, line: string, whole: boolean): RecordingHeader {
  const notOne = (why: string) => new Fault('bad_input', `this is not a recording: ${why}`)
  if (!whole && line.length === 0) throw notOne('the file is empty')
  // Another kind of file may begin with the same signs; only a recording's refusal names a key
  const isMarked = line.includes(format)
  if (line.startsWith('\ufeff') && isMarked)
    throw badLine(1, 'expected {, got a byte order mark before it: something converted the file')
  if (line.endsWith('\r') && isMarked)
    throw badLine(1, 'expected lines that end with LF, got CR LF: something converted the file')
  if (line.length > longestLine || !line.startsWith('{') || !(isMarked || isJson(line)))
    throw notOne(`line 1 expected a header in JSON with format "${format}", got something else`)
  const header = parseSafely(line, 1) as Record<string, unknown>
  if (header.format !== format) throw notOne(`line 1 expected format "${format}", got ${shortly(header.format)}`)
  if (!versions.includes(header.version as 1)) {
    throw badLine(
      1,
      `version expected ${versions.join(' or ')}, got ${shortly(header.version)}: this recording was made by another version of the page`,
    )
  }
  for (const key of ['logId', 'appBuild', 'coreBuild', 'registryHash'] as const) {
    if (typeof header[key] !== 'string') throw badLine(1, `${key} expected text, got ${shortly(header[key])}`)
  }
  if (!Number.isSafeInteger(header.startedAt)) {
    throw badLine(1, `startedAt expected milliseconds as a whole number, got ${shortly(header.startedAt)}`)
  }
  if (!redactions.includes(header.redaction as string))
    throw badLine(1, `redaction expected ${redactions.join(', ')}, got ${shortly(header.redaction)}`)
  for (const [subject, hash] of Object.entries(statedIn(header)))
    if (typeof hash !== 'string' || !/^[0-9a-f]{8}$/.test(hash))
      throw badLine(1, `state.${subject.slice(0, 40)} expected 8 hex digits, got ${shortly(hash)}`)
  if (!whole) throw badLine(1, 'expected a whole header line, got a file that ends inside it')
  return header as RecordingHeader
}

function statedIn({ state }: Record<string, unknown>): object {
  if (state === undefined) return {}
  if (!isRecord(state)) throw badLine(1, `state expected hashes by subject, got ${shortly(state)}`)
  return state
}

function isJson(line: string): boolean {
  try {
    return parseSafely(line, 1) !== undefined
  } catch {
    return false
  }
}

/** @returns a value as a refusal quotes it */
export function shortly(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 40)
}
