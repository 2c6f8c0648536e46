/** `npm run presale`: picks the verb, prints help and errors. */
import { toFailure } from '../../src/runtime/failure.ts'
import { printable } from '../../src/runtime/replay/describe.ts'
import { closestWord } from '../../src/main/replay/nearest.ts'
import { readAsked, refused } from '../../src/main/replay/verb.ts'
import { check } from './check.ts'
import { ledger } from './ledger.ts'
import { checkpoint } from './operator/checkpoint.ts'
import { init } from './operator/init.ts'
import { key } from './operator/key.ts'
import { publish } from './operator/publish.ts'
import { result } from './operator/result.ts'
import { status } from './operator/status.ts'
import { close, pause, resume } from './operator/switches.ts'
import { exportVerb } from './payouts/export.ts'
import { distribute, refund } from './payouts/pay.ts'
import { plan } from './payouts/plan.ts'
import { prove } from './prove.ts'
import type { PresaleExit, PresaleIo, PresaleVerb } from './verb.ts'

type Verbs = { readonly [name: string]: PresaleVerb }

/** Verbs under the titles of the help. */
const groups: readonly (readonly [string, Verbs])[] = [
  ['These read the sale from the chain, and need no key:', { check, ledger, prove, status, export: exportVerb }],
  [
    'These send transactions. Each is safe to repeat and safe to kill, and has --dry-run and --export-unsigned:',
    { init, publish, pause, resume, close, checkpoint, result },
  ],
  [
    'These pay tokens and refunds, each at most once; they may be killed and repeated, too:',
    { plan, distribute, refund },
  ],
  ['This is about a file alone:', { key }],
]
const verbs: Verbs = Object.assign({}, ...groups.map(([, group]) => group))

/**
 * Runs the command line.
 *
 * @param args without the program's own name
 * @returns the exit code: 0 done, 1 the chain, the terms or another source differ, 2 a wrong command or an unreadable file
 */
export async function presaleCommand(args: readonly string[], io: PresaleIo): Promise<PresaleExit> {
  const [name = '', ...given] = args
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  try {
    if (args.length === 0 || (!verb && (name === 'help' || given.includes('--help') || name === '--help'))) {
      ;(args.length === 0 ? io.err : io.out).write(usage())
      return args.length === 0 ? 2 : 0
    }
    if (!verb) {
      const near = closestWord(name, Object.keys(verbs))
      throw refused(
        `there is no verb ${name}${near ? `: did you mean ${near}?` : `: expected ${Object.keys(verbs).join(', ')}`}`,
      )
    }
    if (given.includes('--help')) {
      io.out.write(usageOf(name, verb))
      return 0
    }
    return await verb.run(readAsked(name, given, verb.options), io)
  } catch (fault) {
    const { code, message } = toFailure(fault)
    if (code === 'unknown') console.error(fault)
    io.err.write(`${printable(message)}\n`)
    return code === 'bad_input' || code === 'unknown' ? 2 : 1
  }
}

function usage(): string {
  const width = Math.max(...Object.keys(verbs).map(name => name.length))
  const linesOf = (group: Verbs) =>
    Object.entries(group).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: npm run presale -- VERB …

${groups.map(([title, group]) => `${title}\n\n${linesOf(group).join('\n')}\n`).join('\n')}
Each verb has --help, and prints JSON with --json. Progress goes to standard error.

Exit code: 0 done, 1 the chain, the terms or another source differ, 2 a wrong command or an unreadable file.
`
}

function usageOf(name: string, { takes, about, examples, options }: PresaleVerb): string {
  const rows = Object.entries(options).map(
    ([option, { value, about: text }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, text] as const,
  )
  const width = Math.max(...rows.map(([left]) => left.length))
  return `Usage: npm run presale -- ${name} ${takes}

${about}

${[...rows, ['--help', 'this text'] as const].map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}

Examples:
${examples.map(example => `  npm run presale -- ${name} ${example}`).join('\n')}
`
}
