/**
 * A recorded run of a verb: JSON lines, in the order in which things happened.
 *
 * 1. The first line has the arguments and every file that the verb reads, as it was before the run.
 * 2. Calls and waits stand in the order of their ends, each with its whole request and its number.
 * 3. The last line is `end`. A recording without it is cut: its process was killed.
 * 4. No key, no standard input, no address of a node beyond its host and no absolute path is in it.
 */
import { createHash } from 'node:crypto'
import {
  absentable,
  anything,
  array,
  literal,
  object,
  record,
  type Schema,
  string,
  variant,
  where,
  wholeNumber,
} from '../../../src/runtime/schema/schema.ts'
import { isSolanaAddress } from '../../../src/events/values/solana/address.ts'
import { isPortablePath } from './portable.ts'

export const runFormat = 'mai-presale-run/1'

/** A text file; its path is relative to the working directory. */
export type InputFile = { path: string; text: string }

/** `folders`: those that existed, of the ones that the arguments name. */
export type RunHead = {
  kind: 'head'
  format: typeof runFormat
  verb: string
  words: string[]
  flags: string[]
  values: Record<string, string[]>
  folders: string[]
  inputs: InputFile[]
}

/** A call to a node. `id`: its number among those to the node, in the order of their beginnings. */
type Request = { host: string; id: number; method: string; params: unknown }

/** `answer`: of status 200 alone. `retryAfter`: the header. */
type CallLine = Request & {
  kind: 'call'
  status: number
  answer: string
  retryAfter?: string
}

/** `message`: sha256 in hex. `signature`: base64. */
type SignLine = { kind: 'sign'; address: string; message: string; signature: string }

/** Something that the verb asked for, with what came. */
export type StepLine =
  | CallLine
  | (Request & { kind: 'failure' })
  | { kind: 'wait'; id: number; ms: number }
  | { kind: 'key'; option: string; address: string; warning: string }
  | { kind: 'refusedKey'; option: string; message: string }
  | SignLine
  | { kind: 'random'; below: number; value: number }

/** `files`: every written one with its sha256 in hex. */
export type RunEnd = { kind: 'end'; code: 0 | 1 | 2; files: { path: string; sha256: string }[] }

export type RunLine = RunHead | StepLine | { kind: 'out'; text: string } | { kind: 'err'; text: string } | RunEnd

const text = string()
const whole = wholeNumber(0)
const hash = string({ grammar: /^[0-9a-f]{64}$/ })
const path = where(text, isPortablePath)
const request = { host: text, id: whole, method: text, params: anything() }

/** One line of a recording. */
export const runLine: Schema<RunLine> = variant('kind', {
  head: {
    format: literal(runFormat),
    verb: text,
    words: array(text),
    flags: array(text),
    values: record(array(text)),
    folders: array(path),
    inputs: array(object({ path, text })),
  },
  call: { ...request, status: wholeNumber(200, 599), answer: text, retryAfter: absentable(text) },
  failure: request,
  wait: { id: whole, ms: whole },
  key: { option: text, address: where(text, isSolanaAddress), warning: text },
  refusedKey: { option: text, message: text },
  sign: { address: text, message: hash, signature: string({ grammar: /^[A-Za-z0-9+/]{86}==$/ }) },
  random: { below: wholeNumber(1), value: whole },
  out: { text },
  err: { text },
  end: { code: wholeNumber(0, 2), files: array(object({ path, sha256: hash })) },
})

/** @returns a step without its answer, as a sentence's part: recording and replay match steps by it */
export function askedText(line: StepLine): string {
  switch (line.kind) {
    case 'call':
    case 'failure':
      return `call ${line.id} to ${line.host}: ${line.method} ${JSON.stringify(line.params)}`
    case 'wait':
      return `wait ${line.id}, of ${line.ms} ms`
    case 'sign':
      return `signature of ${line.address} over the message with sha256 ${line.message}`
    case 'random':
      return `random number below ${line.below}`
    case 'key':
    case 'refusedKey':
      return `key of ${line.option}`
  }
}

/** @returns sha256 in hex */
export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
