/** `npm run presale:proof`: runs the proofs of the acceptance numbers that have no command of their own, and prints their counts. */
import { toFailure } from '../../../../src/runtime/failure.ts'
import { readAsked, refused, safeJson, type VerbArguments } from '../../../../src/main/replay/verb.ts'
import type { PresaleIo } from '../../../../scripts/presale/verb.ts'
import { leastOrders } from './filledSale.ts'
import { proveLedger } from './ledger/ledger.ts'
import { proveMutations } from './mutations/mutations.ts'
import { provePayouts } from './payouts.ts'
import { provePlanted } from './planted.ts'
import { provePolls } from './polls.ts'
import type { OnDone, ProofReport } from './report.ts'
import { proveSchedules } from './schedules.ts'
import { proveSteps } from './steps.ts'

type Io = Pick<PresaleIo, 'out' | 'err'>
type Sizes = (name: keyof typeof options) => number
type Proof = { about: string; run: (size: Sizes, onDone: OnDone) => ProofReport | Promise<ProofReport> }

/** Proofs in the order of their numbers. */
const proofs: Readonly<Record<string, Proof>> = {
  steps: {
    about: 'number 1: random orders in random sales keep every rule of the judgement',
    run: (size, onDone) =>
      proveSteps({ seed: size('seed'), steps: size('steps'), sale: size('sale') || undefined, onDone }),
  },
  ledger: {
    about:
      'number 2: tool, page’s worker and second implementation lead to the same ledger; prints time and memory beside a plain loop’s',
    run: (size, onDone) =>
      proveLedger({
        seed: size('seed'),
        orders: size('orders'),
        page: size('page') === 1,
        mostCpuSeconds: size('orders') >= 100_000 ? 60 : undefined,
        onDone,
      }),
  },
  polls: {
    about: 'number 3: a visitor’s poll is one call at any size of a sale',
    run: (size, onDone) => provePolls({ seed: size('seed'), orders: size('orders'), onDone }),
  },
  schedules: {
    about: 'number 4: visits with random faults charge nothing twice, miss no payment, and leave none unknown',
    run: (size, onDone) => proveSchedules({ seed: size('seed'), schedules: size('schedules'), onDone }),
  },
  payouts: {
    about: 'number 5: tokens for many recipients, whose payer is killed at random journal lines, or at every one',
    run: (size, onDone) =>
      provePayouts({
        seed: size('seed'),
        recipients: size('recipients'),
        kills: size('kills'),
        everyLine: size('every') === 1,
        lanes: size('lanes'),
        onDone,
      }),
  },
  planted: {
    about: 'number 7: a missing, extra, reordered or altered transaction is detected',
    run: (size, onDone) =>
      provePlanted({
        seed: size('seed'),
        transactions: size('transactions'),
        trials: size('trials'),
        whole: size('whole'),
        trial: size('trial') || undefined,
        onDone,
      }),
  },
  mutations: {
    about: 'number 8: changed transactions, signed and unsigned: none is accepted or refused wrongly',
    run: (size, onDone) =>
      proveMutations({ seed: size('seed'), mutations: size('mutations'), only: size('case') || undefined, onDone }),
  },
}

const whole = (usual: number, about: string, least = 1, most = 1_000_000_000) => ({
  value: 'N',
  about: `${about}; default ${usual}`,
  usual,
  least,
  most,
})
const single = (about: string) => ({ value: 'N', about, usual: 0, least: 1, most: 1_000_000_000 })
const options = {
  part: { value: 'NAME,NAME', about: `the proofs to run: ${Object.keys(proofs).join(', ')}; default all` },
  seed: whole(1, 'the same seed gives the same proof', 1, 2 ** 31),
  steps: whole(1_000_000, 'steps: orders that are judged'),
  sale: single('steps: this sale alone, from its first order'),
  orders: whole(2_000, 'ledger, polls: transactions of the sale, about', leastOrders, 1_000_000),
  schedules: whole(200, 'schedules: visits', 1, 10_000_000),
  page: whole(1, 'ledger: 1 has it computed in a real browser, too, 0 not', 0, 1),
  recipients: whole(1_000, 'payouts: recipients', 1, 100_000),
  kills: whole(40, 'payouts: deaths of the payer', 1, 100_000),
  every: whole(0, 'payouts: 1 kills the payer at every journal line, up to --kills times', 0, 1),
  lanes: whole(8, 'payouts: lanes of the plan', 1, 32),
  transactions: whole(10_000, 'planted: transactions of the sale, about', leastOrders, 1_000_000),
  trials: whole(300, 'planted: lies, each about one transaction', 1, 1_000_000),
  whole: whole(2, 'planted: trials that are run from the beginning of the sale, too', 0, 1_000_000),
  trial: single('planted: this trial alone'),
  mutations: whole(20_000, 'mutations: transactions that are judged'),
  case: single('mutations: this case alone'),
  json: { about: 'the counts as one line of JSON' },
} as const

/** @returns 0 all hold, 1 one does not, 2 a wrong command */
export async function proofCommand(args: readonly string[], io: Io): Promise<0 | 1 | 2> {
  try {
    if (args.includes('--help')) {
      io.out.write(usage())
      return 0
    }
    const asked = readAsked('presale:proof', args, options)
    if (asked.words[0] !== undefined) throw refused(`presale:proof expected options alone, got ${asked.words[0]}`)
    const names = chosen(asked)
    const sizes = sizesIn(asked)
    const isJson = asked.flags.has('json')
    const reports: ProofReport[] = []
    for (const name of names) {
      const proof = proofs[name] as Proof
      const report = await proof.run(option => sizes.get(option) ?? 0, progressOf(io, name))
      reports.push(report)
      if (!isJson) io.out.write(textOf(report))
    }
    const holds = reports.every(report => report.holds)
    if (isJson)
      io.out.write(
        `${safeJson({ holds, proofs: reports.map(({ proof, number, holds: one, figures }) => ({ proof, number, holds: one, ...figures })) })}\n`,
      )
    return holds ? 0 : 1
  } catch (cause) {
    const { code, message } = toFailure(cause)
    if (code !== 'bad_input') throw cause
    io.err.write(`${message}\n`)
    return 2
  }
}

function chosen({ values }: VerbArguments): string[] {
  const all = Object.keys(proofs)
  const given = values.part?.[0]
  if (given === undefined) return all
  const names = given.split(',')
  const unknown = names.find(name => !all.includes(name))
  if (unknown !== undefined)
    throw refused(`--part expected names of ${all.join(', ')}, got ${unknown || 'an empty name'}`)
  return all.filter(name => names.includes(name))
}

/** Every size is read before the first proof runs. */
function sizesIn({ values }: VerbArguments): Map<string, number> {
  return new Map(
    Object.entries(options).flatMap(([name, option]): [string, number][] => {
      if (!('usual' in option)) return []
      const { usual, least, most } = option
      const text = values[name]?.[0]
      if (text === undefined) return [[name, usual]]
      const value = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN
      if (value >= least && value <= most) return [[name, value]]
      throw refused(`--${name} expected a whole number from ${least} to ${most}, got ${text}`)
    }),
  )
}

function textOf({ proof, number, holds, lines }: ProofReport): string {
  return [
    `${proof} (number ${number}): ${holds ? 'holds' : 'DOES NOT HOLD'}`,
    ...lines.map(line => `  ${line}`),
    '',
  ].join('\n')
}

/** A line that a terminal overwrites; elsewhere one for each tenth. */
function progressOf({ err }: Pick<Io, 'err'>, name: string): OnDone {
  let told = 0
  return (done, all, violation) => {
    if (violation !== undefined) err.write(`${err.isTTY ? '\r' : ''}${violation}${err.isTTY ? '\u001b[K' : ''}\n`)
    const part = Math.floor((done / all) * (err.isTTY ? 200 : 10))
    if (part === told) return
    told = part
    const isEnd = done >= all
    err.write(err.isTTY ? `\r${isEnd ? '' : `${name}: ${done} of ${all}`}\u001b[K` : `${name}: ${done} of ${all}\n`)
  }
}

function usage(): string {
  const rowsOf = (rows: (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([left]) => left.length))
    return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
  }
  const given = Object.entries(options).map(
    ([name, option]) => [`--${name}${'value' in option ? ` ${option.value}` : ''}`, option.about] as const,
  )
  return `Usage: npm run presale:proof -- [--part NAME,NAME] [--seed N] [sizes]

Counts violations of the sale's acceptance numbers: 0 are expected.

${rowsOf(Object.entries(proofs).map(([name, { about }]) => [name, about]))}

Defaults are small; the examples have the full numbers. Number 6 is proved by npm run fuzz.

${rowsOf([...given, ['--help', 'this text']])}

Examples:
  npm run presale:proof -- --part steps --steps 100000000
  npm run presale:proof -- --part ledger --orders 100000 --json
  npm run presale:proof -- --part polls --orders 10000
  npm run presale:proof -- --part schedules --schedules 20000
  npm run presale:proof -- --part payouts --recipients 10000 --every 1 --kills 100000
  npm run presale:proof -- --part mutations --mutations 1000000
  npm run presale:proof -- --part planted --transactions 10000 --trials 10000 --seed 7

Exit code: 0 all hold, 1 one does not (each violation with the command that repeats it), 2 a wrong command.
`
}
