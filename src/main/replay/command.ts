/// <reference types="node" />
/** `npm run replay`: picks the verb, prints help and errors. */
import { printable } from '../../runtime/replay/describe.ts'
import { toFailure } from '../../runtime/failure.ts'
import { at } from './verbs/at.ts'
import { check } from './verbs/check.ts'
import { compat } from './verbs/compat.ts'
import { diff } from './verbs/diff.ts'
import { explore } from './verbs/explore.ts'
import { minimise } from './verbs/minimise.ts'
import { closestWord } from './nearest.ts'
import { redact } from './verbs/redact.ts'
import { replay } from './verbs/replay.ts'
import { show } from './verbs/show.ts'
import { toTest } from './verbs/toTest.ts'
import { type ExitCode, type Io, readAsked, refused, type Verb } from './verb.ts'

const verbs: { readonly [name: string]: Verb } = {
  show,
  check,
  at,
  diff,
  minimise,
  explore,
  compat,
  redact,
  'to-test': toTest,
}

/**
 * Runs the command line.
 *
 * @param args without the program's own name: a verb with its words, or a file alone
 * @returns the exit code: 0 no difference, 1 a difference, 2 a wrong command or an unreadable file
 */
export async function replayCommand(args: readonly string[], io: Io): Promise<ExitCode> {
  const [first = '', ...rest] = args
  const named = Object.hasOwn(verbs, first) ? verbs[first] : undefined
  const [name, verb, given] = named ? [first, named, rest] : ['replay', replay, args]
  try {
    if (given.includes('--help') || (args.length === 1 && first === 'help')) {
      io.out.write(named ? usageOf(name, verb) : usage())
      return 0
    }
    if (args.length === 0) throw refused('expected a verb or a file, got nothing')
    if (!named && /^[a-z-]+$/.test(first) && !first.startsWith('-')) {
      const near = closestWord(first, Object.keys(verbs))
      const hint = near ? `: did you mean ${near}?` : ` (a file of that name is ./${first})`
      throw refused(`there is no verb ${first}${hint}`)
    }
    return await verb.run(readAsked(name, given, verb.options), io)
  } catch (fault) {
    const { code, message } = toFailure(fault)
    if (code === 'unknown') console.error(fault)
    io.err.write(`${printable(message)}\n`)
    if (code !== 'unknown' && args.length === 0) io.err.write(`\n${usage()}`)
    return 2
  }
}

function usage(): string {
  const width = Math.max(...Object.keys(verbs).map(name => name.length))
  const lines = Object.entries(verbs).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: npm run replay -- VERB … or npm run replay -- FILE

Shows the facts of a recording (.replay.jsonl or .gz) and re-executes it on the core. No driver is attached, so a replay makes
no payment.

${lines.join('\n')}

Without a verb, a file is shown and checked. Each verb has --help, and prints JSON with --json.

Exit code: 0 no difference, 1 a difference, 2 a wrong command or an unreadable file.
`
}

function usageOf(name: string, { takes, about, options }: Verb): string {
  const rows = Object.entries(options).map(
    ([option, { value, short, about }]) =>
      [`${short ? `-${short}, ` : ''}--${option}${value === undefined ? '' : ` ${value}`}`, about] as const,
  )
  rows.push(['--help', 'this text'])
  const width = Math.max(...rows.map(([left]) => left.length))
  return `Usage: npm run replay -- ${name} ${takes}

${about}

${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}
`
}
