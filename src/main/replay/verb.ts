/** The type of a verb of `npm run replay`, and the parser of its arguments. */
import { parseArgs } from 'node:util'
import { printable } from '../../runtime/replay/describe.ts'
import { Fault } from '../../runtime/failure.ts'
import { closestWord } from './nearest.ts'

/** A stream that a command writes to; `isTTY` and `columns` as of a terminal in Node. */
export type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

/** `build`: hash of the running core's sources. `root`: the repository's path. `env`: absent means an empty environment. */
export type Io = {
  out: Output
  err: Output
  build: string
  root: string
  env?: Readonly<Record<string, string | undefined>>
}

/** `value` names an option's value in its help: `--shard i/n`. `many`: the option may be repeated. */
type Option = { about: string; value?: string; many?: boolean; short?: string }

/** The parsed arguments of a verb. */
export type VerbArguments = {
  words: string[]
  flags: ReadonlySet<string>
  values: { readonly [option: string]: readonly string[] }
}

/** 0: no difference; 1: a difference; 2: a wrong command or an unreadable file. */
export type ExitCode = 0 | 1 | 2

/** One verb of the command. */
export type Verb = {
  /** The arguments in the help: `FILE…`. */
  takes: string
  summary: string
  about: string
  options: { readonly [name: string]: Option }
  run(asked: VerbArguments, io: Io): Promise<ExitCode>
}

/**
 * Parses a verb's words and options.
 *
 * @throws Fault `bad_input`; for an unknown option with the closest known one
 */
export function readAsked(name: string, args: readonly string[], options: Verb['options']): VerbArguments {
  const known = Object.keys(options)
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { value, short }]) => {
        const type = value === undefined ? ('boolean' as const) : ('string' as const)
        return [option, short === undefined ? { type } : { type, short }]
      }),
    ),
  })
  const words: string[] = []
  const flags = new Set<string>()
  const values: Record<string, string[]> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    const said = printable(token.rawName)
    if (!option) {
      const near = closestWord(token.name, known)
      throw refused(`${name} has no option ${said}${near ? `: did you mean --${near}?` : ''}`)
    }
    if (option.value === undefined) {
      if (token.value !== undefined) throw refused(`${said} of ${name} expected no value, got one`)
      flags.add(token.name)
      continue
    }
    if (token.value === undefined) throw refused(`${said} of ${name} expected ${option.value} after it, got nothing`)
    const given = (values[token.name] ??= [])
    if (given.length > 0 && !option.many) throw refused(`${said} of ${name} expected to be given once, got it twice`)
    given.push(token.value)
  }
  return { words, flags, values }
}

/** @returns a Fault `bad_input` whose message is printed without a stack */
export function refused(message: string): Fault {
  return new Fault('bad_input', message)
}

/** @throws Fault `bad_input` unless exactly this many words were given */
export function takeWords<const N extends readonly string[]>(
  asked: VerbArguments,
  names: N,
): { [K in keyof N]: string } {
  if (asked.words.length !== names.length) {
    const got = asked.words.length === 0 ? 'nothing' : asked.words.map(word => printable(word.slice(0, 90))).join(', ')
    throw refused(`expected ${names.join(' and ') || 'options alone'}, got ${got}`)
  }
  return asked.words as unknown as { [K in keyof N]: string }
}

/** @returns JSON with control and bidirectional characters escaped, so that a terminal prints it as text */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
