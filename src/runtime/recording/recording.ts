/**
 * A recording: a header line, the log's lines as written, a trailer line with counts and a sha256 of all before it. Reading
 * validates everything in an untrusted file and executes nothing.
 */
import { type Decoder, longestLine } from '../log/createDecoder.ts'
import type { SubjectHashes } from '../log/createSnapshots.ts'
import { Fault } from '../failure.ts'
import { mayHavePrototypeKey } from '../json/readJson.ts'
import { lineKind, type LogRecord } from '../log/record.ts'
import { createBudget, recordingLimits } from './recordingBudget.ts'
import { readHeader, type RecordingHeader, type RecordingKind, shortly } from './recordingHeader.ts'
import { checkShape, parseSafely } from './formLine.ts'
import { createOrder } from './recordingOrder.ts'
import { badLine } from './badLine.ts'

const trailerBegins = '{"k":"end"'

/**
 * A record, its line number in the file, and its line. `lifted`: an older build wrote another shape, and `line` is today's.
 * `unknown`: a type or version this build does not know, neither validated nor folded.
 */
export type Recorded = { record: LogRecord; line: string; number: number; lifted?: true; unknown?: true }

/** Progress of reading: lines, and their share of the text, from 0 to 1. */
export type ReadProgress = (lines: number, share: number) => void

/** @param text hashed as UTF-8 @returns 64 hex digits */
export type Sha256 = (text: string) => Promise<string>

export type Recording = {
  header: RecordingHeader
  records: Recorded[]
  /** A trailer ends the file, and its counts and hash are right. */
  complete: boolean
  /** Without a trailer: the number of the first line that is missing or cut. */
  truncatedAt?: number
  /** Records of types and versions this build does not know, counted by type. */
  unknownTypes: Record<string, number>
}

type Counts = { records: number; inputs: number; facts: number; pages: number }

/**
 * Writes a recording.
 *
 * @param recording the log's lines in order, without their line ends. A page repeats facts that were not acknowledged: a
 *   repeated page line is written once; `state`: of the core's model behind the last line
 * @returns the file's text; it ends with a line end
 */
export async function writeRecording(
  { header, lines, state }: { header: RecordingHeader; lines: readonly string[]; state?: SubjectHashes | undefined },
  sha256: Sha256,
): Promise<string> {
  const { format, logId, appBuild, coreBuild, registryHash, startedAt, redaction } = header
  const version: RecordingHeader['version'] = 2
  const first = {
    format,
    version,
    logId,
    appBuild,
    coreBuild,
    registryHash,
    startedAt,
    redaction,
    ...(state && { state }),
  }
  const written = withoutRepeats(lines)
  const counts: Counts = { records: written.length, inputs: 0, facts: 0, pages: 0 }
  for (const line of written) {
    const kind = lineKind(line)
    if (kind === 'i') counts.inputs += 1
    else if (kind === 'f') counts.facts += 1
    else if (kind === 'p') counts.pages += 1
  }
  const before = `${JSON.stringify(first)}\n${written.map(line => `${line}\n`).join('')}`
  return `${before}${trailerOf(counts, await sha256(before))}\n`
}

/** Deduplicates page lines by tab and number. */
function withoutRepeats(lines: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return lines.filter(line => {
    if (lineKind(line) !== 'p') return true
    const { tab, p } = JSON.parse(line) as { tab: string; p: number }
    if (p <= (seen.get(tab) ?? -1)) return false
    seen.set(tab, p)
    return true
  })
}

/** Means to read a product's recordings. */
type RecordingMeans = {
  decoder: Pick<Decoder, 'decodeLine' | 'isNewest' | 'isKnownType'>
  lineOf(record: LogRecord): string
  kind: RecordingKind
}

/**
 * Reads a recording line by line as its text arrives. Without a trailer it is valid to its last whole line and tells where it
 * was cut. Refuses as soon as it reads the cause: nothing after it is pulled.
 *
 * @param text the file's text, already unpacked, whole or in parts
 * @param heard progress; of a text in parts `shareOf` gives the share
 * @throws Fault `bad_input`, one sentence with the line and the key: not a recording, another version, over a limit, malformed,
 *   hostile keys, out of order, wrong counts, edited
 */
export async function readRecordingBy(
  means: RecordingMeans,
  text: string | AsyncIterable<string>,
  sha256: Sha256,
  heard?: ReadProgress,
  shareOf: () => number = () => 0,
): Promise<Recording> {
  const isWhole = typeof text === 'string'
  if (isWhole && text.length > recordingLimits.bytes) {
    throw new Fault(
      'bad_input',
      `the recording expected at most ${recordingLimits.bytes} characters, got ${text.length} characters`,
    )
  }
  const reader = createReader(means, (lines, read) => heard?.(lines, isWhole ? read / text.length : shareOf()))
  if (isWhole) reader.take(text)
  else for await (const part of text) reader.take(part)
  return reader.end(sha256)
}

/**
 * Reads the text in parts; `told` gets the number of lines and characters read. One function, because each part continues the
 * state of the last.
 */
function createReader({ decoder, lineOf, kind }: RecordingMeans, told: (lines: number, read: number) => void) {
  const { decodeLine, isKnownType, isNewest } = decoder
  const parts: string[] = []
  const records: Recorded[] = []
  const counts: Counts = { records: 0, inputs: 0, facts: 0, pages: 0 }
  const budget = createBudget()
  const order = createOrder(kind.restating)
  let header: RecordingHeader | undefined
  let trailer: { line: string; number: number; start: number } | undefined
  let number = 0
  let read = 0
  /** the last line, still without its end: no part of it is searched twice */
  let begun: string[] = []
  let begunLength = 0

  function takeTrailer(line: string): void {
    const owed = order.owed()
    order.end()
    if (owed > 0)
      throw badLine(number, `expected ${owed} more rows of a checkpoint before the trailer, got the trailer`)
    checkCounts(line, number, counts)
    trailer = { line, number, start: read }
  }

  function takeRecord(line: string): void {
    budget.take(line, number)
    const record = readLine(line, number, decodeLine)
    order.take(record, number)
    const recorded: Recorded = isNewest(line, record)
      ? { record, line, number }
      : { record, line: lineOf(record), number, lifted: true }
    records.push(recorded)
    count(counts, record)
    if (record.k !== 'e' && record.k !== 'c' && !isKnownType(record)) {
      recorded.unknown = true
      budget.takeUnknown(record.type, number)
    }
    if (number % 5000 === 0) told(number, read)
  }

  /** @param line with its line end, which is not part of it */
  function takeLine(line: string): void {
    number += 1
    if (!header) header = readHeader(kind, line, true)
    else if (trailer) throw badLine(number, 'expected nothing after the trailer, got more text')
    else if (line.startsWith(trailerBegins)) takeTrailer(line)
    else takeRecord(line)
    read += line.length + 1
  }

  return {
    take(part: string): void {
      parts.push(part)
      let start = 0
      for (let end = part.indexOf('\n'); end >= 0; end = part.indexOf('\n', start)) {
        takeLine(begun.join('') + part.slice(start, end))
        begun = []
        begunLength = 0
        start = end + 1
      }
      begun.push(part.slice(start))
      begunLength += part.length - start
      if (begunLength <= longestLine) return
      // Refuse an overlong line without waiting for its end
      if (!header) readHeader(kind, begun.join(''), false)
      throw badLine(number + 1, `expected at most ${longestLine} characters, got more`)
    },

    async end(sha256: Sha256): Promise<Recording> {
      const last = begun.join('')
      if (!header) header = readHeader(kind, last, false)
      if (last !== '') {
        number += 1
        if (trailer) throw badLine(number, 'expected nothing after the trailer, got more text')
        // A file cut inside its trailer is a truncated one
        if (last.startsWith(trailerBegins) && last.endsWith('}')) takeTrailer(last)
        else number -= 1
      }
      const { unknownTypes } = budget
      if (!trailer) return { header, records, complete: false, truncatedAt: number + 1, unknownTypes }
      const { line, start } = trailer
      await checkHash(line, trailer.number, counts, () => sha256(parts.join('').slice(0, start)))
      return { header, records, complete: true, unknownTypes }
    },
  }
}

function readLine(line: string, number: number, decodeLine: Decoder['decodeLine']): LogRecord {
  if (line.length > longestLine) {
    throw badLine(number, `expected at most ${longestLine} characters, got ${line.length}`)
  }
  checkShape(line, number)
  const isSuspect = mayHavePrototypeKey(line)
  let record: LogRecord
  try {
    record = decodeLine(line, isSuspect)
  } catch (cause) {
    if (cause instanceof Fault) throw badLine(number, cause.message)
    throw cause
  }
  // Ids become keys of the model; this one would reach every object's prototype. An escape may spell it, too
  const hostile = isSuspect ? namingProto(record, 'record') : undefined
  if (hostile !== undefined) throw badLine(number, `${hostile} expected an id, got "__proto__"`)
  return record
}

/** @returns the name of the field whose value is `__proto__`, at any depth; a line has at most 64 levels */
function namingProto(value: unknown, name: string): string | undefined {
  if (value === '__proto__') return name
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const found = namingProto(member, Array.isArray(value) ? name : key.slice(0, 40))
    if (found !== undefined) return found
  }
  return undefined
}

function checkCounts(line: string, number: number, counts: Counts): void {
  const trailer = parseSafely(line, number) as Record<string, unknown>
  for (const key of ['records', 'inputs', 'facts', 'pages'] as const) {
    if (trailer[key] !== counts[key]) {
      throw badLine(number, `${key} in the trailer expected ${counts[key]}, got ${shortly(trailer[key])}`)
    }
  }
  if (typeof trailer.sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(trailer.sha256)) {
    throw badLine(number, `sha256 in the trailer expected 64 hex digits, got ${shortly(trailer.sha256)}`)
  }
}

async function checkHash(line: string, number: number, counts: Counts, sha256: () => Promise<string>): Promise<void> {
  const trailer = JSON.parse(line) as { sha256: string }
  const actual = await sha256()
  if (actual !== trailer.sha256) {
    throw badLine(
      number,
      `sha256 in the trailer expected ${actual.slice(0, 12)}…, got ${trailer.sha256.slice(0, 12)}…: the recording was edited after it was made`,
    )
  }
  // The hash covers only the lines before the trailer, so the trailer must match character for character
  if (line !== trailerOf(counts, actual))
    throw badLine(number, 'the trailer expected to stand as it is written, got other characters')
}

function trailerOf({ records, inputs, facts, pages }: Counts, sha256: string): string {
  return JSON.stringify({ k: 'end', records, inputs, facts, pages, sha256 })
}

function count(counts: Counts, record: LogRecord): void {
  counts.records += 1
  if (record.k === 'i') counts.inputs += 1
  else if (record.k === 'f') counts.facts += 1
  else if (record.k === 'p') counts.pages += 1
}
