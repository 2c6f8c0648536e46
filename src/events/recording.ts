/**
 * A recording: a header line, the log's lines as they were written, a trailer line with counts and a sha256 of all before it.
 * Reading checks everything a stranger's file could get wrong and executes nothing.
 */
import { decodeLine, isKnown, isNewest, longestLine, mayHoldProto } from './decode.ts'
import { Fault } from './failure.ts'
import { lineOf } from './lineOf.ts'
import type { LogRecord } from './record.ts'
import { checkShape, parseSafely } from './recordingLine.ts'
import { createOrder } from './recordingOrder.ts'

/** Largest recording that is read, in bytes after gunzip. */
export const largestRecording = 64 * 1024 * 1024

/** As on the device; personal values replaced by tokens, still re-executable; amounts blanked too, for looking only. */
export type Redaction = (typeof redactions)[number]
const redactions = ['plain', 'tokens', 'view'] as const

/** What is written is of the newest version. The first has other lines of effects, and an input's `to` at its end. */
const versions = [1, 2] as const

/** Line 1. `startedAt` is ms since the Unix epoch, the builds are hashes, `redaction` tells what became of personal fields. */
export type RecordingHeader = {
  format: 'mai-recording'
  version: (typeof versions)[number]
  logId: string
  appBuild: string
  coreBuild: string
  registryHash: string
  startedAt: number
  redaction: Redaction
}

/**
 * A record, its line's number in the file, and the very line it was read from. One that an older build wrote in a shape of
 * its own is `lifted`: its line is the one that would be written today.
 */
export type Recorded = { record: LogRecord; line: string; number: number; lifted?: true }

/** Hears how far reading is: lines read, and the part of the text they are, from 0 to 1. */
export type Heard = (lines: number, share: number) => void

/** @param text hashed as UTF-8 @returns 64 hex digits */
export type Sha256 = (text: string) => Promise<string>

export type Recording = {
  header: RecordingHeader
  records: Recorded[]
  /** A trailer stands at the end, and its counts and hash are right. */
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
 * @param recording the log's lines in order, without their line ends. A page sends its facts again when it did not hear
 *   that they were kept: a page line that stands there twice is written once
 * @returns the file's text; it ends with a line end
 */
export async function writeRecording(
  { header, lines }: { header: RecordingHeader; lines: readonly string[] },
  sha256: Sha256,
): Promise<string> {
  const { format, logId, appBuild, coreBuild, registryHash, startedAt, redaction } = header
  const version: RecordingHeader['version'] = 2
  const first = { format, version, logId, appBuild, coreBuild, registryHash, startedAt, redaction }
  const written = withoutRepeats(lines)
  const counts: Counts = { records: written.length, inputs: 0, facts: 0, pages: 0 }
  for (const line of written) {
    const kind = line[6]
    if (kind === 'i') counts.inputs += 1
    else if (kind === 'f') counts.facts += 1
    else if (kind === 'p') counts.pages += 1
  }
  const before = `${JSON.stringify(first)}\n${written.map(line => `${line}\n`).join('')}`
  return `${before}${trailerOf(counts, await sha256(before))}\n`
}

/**
 * Reads a recording. Without a trailer it is valid to its last whole line and says where it was cut.
 *
 * @param text the file's text, already unpacked
 * @throws Fault `bad_input`, one sentence with the line and the key: not a recording, another version, too large, malformed,
 * hostile keys, too deep, out of order, wrong counts, edited
 */
export async function readRecording(text: string, sha256: Sha256, heard?: Heard): Promise<Recording> {
  if (text.length > largestRecording) {
    throw new Fault(
      'bad_input',
      `the recording expected at most ${largestRecording} characters, got ${text.length} characters`,
    )
  }
  const { line: firstLine, next: afterHeader } = lineAt(text, 0)
  const header = readHeader(firstLine, afterHeader > 0)
  const records: Recorded[] = []
  const counts: Counts = { records: 0, inputs: 0, facts: 0, pages: 0 }
  const unknownTypes: Record<string, number> = {}
  const order = createOrder()

  let number = 2
  let start = afterHeader
  while (start < text.length) {
    const { line, next } = lineAt(text, start)
    if (line.startsWith('{"k":"end"')) {
      // A file cut inside its trailer is a truncated one
      if (next === 0 && !line.endsWith('}')) break
      if (order.owed() > 0)
        throw bad(number, `expected ${order.owed()} more restated facts before the trailer, got the trailer`)
      await checkTrailer(line, number, counts, () => sha256(text.slice(0, start)))
      if (next !== 0 && next < text.length) throw bad(number + 1, 'expected nothing after the trailer, got more text')
      return { header, records, complete: true, unknownTypes }
    }
    if (next === 0) break
    const record = readLine(line, number)
    order.take(record, number)
    records.push(
      isNewest(line, record) ? { record, line, number } : { record, line: lineOf(record), number, lifted: true },
    )
    count(counts, record)
    if (record.k !== 'e' && record.k !== 'c' && !isKnown(record))
      unknownTypes[record.type] = (unknownTypes[record.type] ?? 0) + 1
    if (number % 5000 === 0) heard?.(number, next / text.length)
    number += 1
    start = next
  }
  return { header, records, complete: false, truncatedAt: number, unknownTypes }
}

/** A tab and its number name a page line. */
function withoutRepeats(lines: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return lines.filter(line => {
    if (line[6] !== 'p') return true
    const { tab, p } = JSON.parse(line) as { tab: string; p: number }
    if (p <= (seen.get(tab) ?? -1)) return false
    seen.set(tab, p)
    return true
  })
}

/** The line from `start` on, and where the next one starts; 0 when this one has no line end. */
function lineAt(text: string, start: number): { line: string; next: number } {
  const end = text.indexOf('\n', start)
  return end < 0 ? { line: text.slice(start), next: 0 } : { line: text.slice(start, end), next: end + 1 }
}

function readHeader(line: string, whole: boolean): RecordingHeader {
  const notOne = (why: string) => new Fault('bad_input', `this is not a recording: ${why}`)
  if (!whole && line.length === 0) throw notOne('the file is empty')
  if (line.startsWith('\ufeff'))
    throw bad(1, 'expected {, got a byte order mark before it: something converted the file')
  if (line.endsWith('\r')) throw bad(1, 'expected lines that end with LF, got CR LF: something converted the file')
  if (line.length > longestLine || !line.startsWith('{')) {
    throw notOne('line 1 expected a header in JSON with format "mai-recording", got something else')
  }
  const header = parseSafely(line, 1) as Record<string, unknown>
  if (header.format !== 'mai-recording') {
    throw notOne(`line 1 expected format "mai-recording", got ${shortly(header.format)}`)
  }
  if (!versions.includes(header.version as 1)) {
    throw bad(
      1,
      `version expected ${versions.join(' or ')}, got ${shortly(header.version)}: this recording was made by another version of the page`,
    )
  }
  for (const key of ['logId', 'appBuild', 'coreBuild', 'registryHash'] as const) {
    if (typeof header[key] !== 'string') throw bad(1, `${key} expected text, got ${shortly(header[key])}`)
  }
  if (!Number.isSafeInteger(header.startedAt)) {
    throw bad(1, `startedAt expected milliseconds as a whole number, got ${shortly(header.startedAt)}`)
  }
  if (!redactions.includes(header.redaction as Redaction))
    throw bad(1, `redaction expected ${redactions.join(', ')}, got ${shortly(header.redaction)}`)
  if (!whole) throw bad(1, 'expected a whole header line, got a file that ends inside it')
  return header as RecordingHeader
}

function readLine(line: string, number: number): LogRecord {
  if (line.length > longestLine) {
    throw bad(number, `expected at most ${longestLine} characters, got ${line.length}`)
  }
  checkShape(line, number)
  const isSuspect = mayHoldProto(line)
  let record: LogRecord
  try {
    record = decodeLine(line, isSuspect)
  } catch (cause) {
    if (cause instanceof Fault) throw bad(number, cause.message.replace(/^log line: /, ''))
    throw cause
  }
  // Ids become keys of the model; this one would reach the prototype of every object. An escape may spell it, too
  const hostile = isSuspect ? namingProto(record, 'record') : undefined
  if (hostile !== undefined) throw bad(number, `${hostile} expected an id, got "__proto__"`)
  return record
}

/** @returns the name under which `__proto__` stands as a value, however deep; a line is at most 64 levels deep */
function namingProto(value: unknown, name: string): string | undefined {
  if (value === '__proto__') return name
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const found = namingProto(member, Array.isArray(value) ? name : key.slice(0, 40))
    if (found !== undefined) return found
  }
  return undefined
}

async function checkTrailer(line: string, number: number, counts: Counts, sha256: () => Promise<string>) {
  const trailer = parseSafely(line, number) as Record<string, unknown>
  for (const key of ['records', 'inputs', 'facts', 'pages'] as const) {
    if (trailer[key] !== counts[key]) {
      throw bad(number, `${key} in the trailer expected ${counts[key]}, got ${shortly(trailer[key])}`)
    }
  }
  if (typeof trailer.sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(trailer.sha256)) {
    throw bad(number, `sha256 in the trailer expected 64 hex digits, got ${shortly(trailer.sha256)}`)
  }
  const actual = await sha256()
  if (actual !== trailer.sha256) {
    throw bad(
      number,
      `sha256 in the trailer expected ${actual.slice(0, 12)}…, got ${trailer.sha256.slice(0, 12)}…: the recording was edited after it was made`,
    )
  }
  // The hash is of what stands before it, so the trailer itself must stand there just as it is written
  if (line !== trailerOf(counts, actual))
    throw bad(number, 'the trailer expected to stand as it is written, got other characters')
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

function shortly(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 40)
}

function bad(line: number, message: string): Fault {
  return new Fault('bad_input', `recording, line ${line}: ${message}`)
}
