/** `npm run presale`: picks the verb, prints help and errors. */
import { closestWord } from '../../src/main/replay/nearest.ts'
import { readAsked, refused, type VerbArguments } from '../../src/main/replay/verb.ts'
import { isSecret, keyGiven, mayBeKey } from './keys.ts'
import { key } from './operator/key.ts'
import { openRecorder } from './recording/record.ts'
import { replay } from './recording/replay.ts'
import type { PresaleExit, PresaleIo, PresaleVerb } from './verb.ts'
import { paying, reading, runVerb, sending, told, type Verbs } from './verbs.ts'

/** Verbs under the titles of the help. */
const groups: readonly (readonly [string, Verbs])[] = [
  ['These read the sale from the chain, and need no key:', reading],
  [
    'These send transactions. Each is safe to repeat and safe to kill, and has --dry-run and --export-unsigned:',
    sending,
  ],
  ['These pay tokens and refunds, each at most once; they may be killed and repeated, too:', paying],
  ['This is about a file alone:', { key }],
  ['This repeats a run that --record wrote, without a network and without a key:', { replay }],
]
const verbs: Verbs = Object.assign({}, ...groups.map(([, group]) => group))

/**
 * Runs the command line.
 *
 * @param args without the program's own name
 * @returns the exit code: 0 done, 1 the chain, the terms or another source differ, 2 a wrong command or key, or an unreadable file
 */
export async function presaleCommand(args: readonly string[], io: PresaleIo): Promise<PresaleExit> {
  return told(() => run(args, io), io)
}

async function run([name = '', ...given]: readonly string[], io: PresaleIo): Promise<PresaleExit> {
  refuseSecrets([name, ...given])
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb && given.includes('--help')) {
    io.out.write(usageOf(name, verb))
    return 0
  }
  if (verb) return runAsked(name, verb, given, io)
  if (name === '' && given.length === 0) {
    io.err.write(usage())
    return 2
  }
  if (name === 'help' || [name, ...given].includes('--help')) {
    io.out.write(usage())
    return 0
  }
  const near = closestWord(name, Object.keys(verbs))
  throw refused(
    `there is no verb ${name}${near ? `: did you mean ${near}?` : `: expected ${Object.keys(verbs).join(', ')}`}`,
  )
}

async function runAsked(name: string, verb: PresaleVerb, given: string[], io: PresaleIo): Promise<PresaleExit> {
  const { words, flags, values: all } = readAsked(name, given, verb.options)
  const { record: [file] = [], ...values } = all
  const asked = { words, flags, values }
  refuseKeys(verb, { words, values: all })
  if (file === undefined) return runVerb(verb, asked, io)
  const recorder = openRecorder(file, { name, verb, asked }, io)
  const code = await runVerb(verb, asked, recorder.io)
  recorder.end(code)
  return code
}

/** A refusal would repeat what an argument says, and a recording would keep it. @throws Fault `bad_input` for a secret in any place */
function refuseSecrets(args: readonly string[]): void {
  const [name = ''] = args
  const parts = args.map(arg => arg.replace(/^-+/, '').split('='))
  const names = args.flatMap((arg, at) => (arg.startsWith('-') ? (parts[at]?.[0] ?? '') : []))
  // A shell splits a list with spaces, and a phrase, at its spaces
  if ([...parts.flat(), args.join(' ')].some(isSecret) || [name, ...names].some(mayBeKey)) throw keyGiven()
}

/** Values that may have the form of a key: addresses and signatures in base58, and the access key of a node. */
const likeKeys: readonly (string | undefined)[] = ['ADDRESS', 'SIGNATURE=PAYEE', 'URL']

/** @throws Fault `bad_input` for a value or word that may be a key, and is no address */
function refuseKeys({ takes, options }: PresaleVerb, { words, values }: Pick<VerbArguments, 'words' | 'values'>): void {
  for (const [option, given] of Object.entries(values))
    if (!likeKeys.includes(options[option]?.value) && given.some(mayBeKey)) throw keyGiven(`--${option}`)
  if (!takes.startsWith('WALLET') && words.some(mayBeKey)) throw keyGiven()
}

function usage(): string {
  const width = Math.max(...Object.keys(verbs).map(name => name.length))
  const linesOf = (group: Verbs) =>
    Object.entries(group).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: npm run presale -- VERB …

${groups.map(([title, group]) => `${title}\n\n${linesOf(group).join('\n')}\n`).join('\n')}
Each verb has --help, and prints JSON with --json. Progress goes to standard error. Each verb but key and replay records its run
with --record.

Exit code: 0 done, 1 the chain, the terms or another source differ, 2 a wrong command or key, or an unreadable file.
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
