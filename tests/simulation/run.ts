/** `npm run simulate`: any number of seeded worlds; a failing seed is minimised and saved as a recording. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addReached, missing, nothingReached, type Reached, unstruck } from './coverage.ts'
import { keep } from './keep.ts'
import { again, shrink } from './shrink.ts'
import { simulate } from './simulate.ts'

const usage = `Usage: npm run simulate -- [--seeds 1000] [--from 0]
       npm run simulate -- --seed N [--without NAME#COUNT,…] [--verbose]

Runs the core in seeded worlds that drop, double, delay, refuse and kill. After every step invariants are checked; then the
faults stop, and everything has to come to rest. The same seed is the same world everywhere.

  --seeds COUNT      how many seeds; default 1000
  --from SEED        the first of them; default 0
  --seed SEED        this one alone
  --without LIST     faults and steps of the person that are left out
  --out FOLDER       where failing seeds are kept as recordings; default test-results/simulation
  --shrink RUNS      how often a failing seed is run to make it small; default 600, 0 keeps it as it is
  --json             what was reached and what failed as one line of JSON
  --verbose          with --seed: each fact as it happened, and what went wrong on the way
  --help             this text

Exit code: 0 all seeds hold, 1 some do not, 2 it could not be asked for.
`

type Failed = { seed: number; wrong: string; file: string; again: string }

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string' },
      without: { type: 'string', default: '' },
      out: { type: 'string', default: join('test-results', 'simulation') },
      shrink: { type: 'string', default: '600' },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  if (values.without !== '' && values.seed === undefined) throw new Error('--without expected a --seed, got none')
  const without = new Set(values.without.split(',').filter(name => name !== ''))
  for (const name of without)
    if (!/^[\w.]+#\d+$/.test(name)) throw new Error(`--without expected names such as relay.drops#3, got ${name}`)
  const from = whole('seed', values.seed ?? values.from)
  const count = values.seed === undefined ? whole('seeds', values.seeds) : 1
  const most = whole('shrink', values.shrink)

  const reached = nothingReached()
  const failed: Failed[] = []
  const began = performance.now()
  let inputs = 0
  for (let seed = from; seed < from + count; seed++) {
    const outcome = await simulate(seed, without)
    inputs += outcome.inputs
    addReached(reached, outcome.reached)
    if (values.verbose) tell(outcome.lines, outcome.drawn)
    if (outcome.wrong !== undefined)
      failed.push(await fail({ seed, wrong: outcome.wrong, without, most, out: values.out }))
    if (!values.json && count > 1) progress(seed - from + 1, count, failed.length)
  }
  const seconds = (performance.now() - began) / 1000
  if (values.json) console.log(JSON.stringify({ seeds: count, inputs, seconds, failed, reached }))
  else summary({ count, inputs, seconds, failed, reached })
  return failed.length === 0 ? 0 : 1
}

type Failing = { seed: number; wrong: string; without: ReadonlySet<string>; most: number; out: string }

/** Minimises a failing seed, saves it, and prints the command to repeat it. */
async function fail({ seed, wrong, without, most, out }: Failing): Promise<Failed> {
  const small = most > 0 && without.size === 0 ? await shrink(seed, { most }) : undefined
  const outcome = small?.outcome ?? (await simulate(seed, without))
  const left = small ? small.without : [...without]
  const file = await keep(outcome, out)
  const line = again(seed, left)
  process.stderr.write(
    `\nseed ${seed} failed: ${outcome.wrong ?? wrong}\n` +
      (small ? `  made small in ${small.trials} runs: ${small.left.join(' ')}\n` : '') +
      `  kept as ${file}: npm run replay -- ${file}\n  again: ${line}\n\n`,
  )
  return { seed, wrong: outcome.wrong ?? wrong, file, again: line }
}

function tell(lines: readonly string[], drawn: readonly string[]): void {
  for (const line of lines) if (line.startsWith('{"k":"i"') || line.startsWith('{"k":"f"')) console.log(line)
  console.log(`\n${drawn.join(' ')}`)
}

function progress(done: number, count: number, failures: number): void {
  const isShown = process.stdout.isTTY ? done % 10 === 0 : done % 200 === 0
  if (!isShown && done < count) return
  const said = `${done} of ${count} seeds${failures > 0 ? `, ${failures} failed` : ''}`
  process.stdout.write(process.stdout.isTTY ? `\r${said}` : `${said}\n`)
}

type Sum = { count: number; inputs: number; seconds: number; failed: readonly Failed[]; reached: Reached }

function summary({ count, inputs, seconds, failed, reached }: Sum): void {
  const kinds = (part: keyof Reached) => Object.keys(reached[part]).length
  console.log(
    `\n${count - failed.length} of ${count} seeds hold: ${inputs} inputs in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(1)} seeds and ${Math.round(inputs / seconds)} inputs a second`,
  )
  console.log(
    `reached ${kinds('inputs')} kinds of input, ${kinds('facts')} of fact, ${kinds('effects')} of effect, ${kinds('payloads')} of message, ${kinds('faults')} of fault`,
  )
  const never = [...missing(reached), ...unstruck(reached)]
  if (count >= 100 && never.length > 0) console.log(`never reached: ${never.join(', ')}`)
  for (const { seed, wrong, again } of failed) console.log(`  ${seed}: ${wrong}\n    ${again}`)
}

function whole(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} expected a whole number, got ${value}`)
  return Number(value)
}

main().then(
  code => {
    process.exitCode = code
  },
  (cause: unknown) => {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exitCode = 2
  },
)
