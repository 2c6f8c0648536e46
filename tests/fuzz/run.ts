/** `npm run fuzz`: any number of hostile cases for all readers of outside text. */
import { parseArgs } from 'node:util'
import { inputOf, type Ran, runReader, shares, tried } from './campaign.ts'
import { counted, readers } from './readers.ts'
import { watchForEndless } from './endless.ts'

const usage = `Usage: npm run fuzz -- [--seed WORD] [--cases 1000000] [--reader NAME]
       npm run fuzz -- --seed WORD --reader NAME --case N

Hostile texts for every reader of frames, payloads, envelopes, URIs, links, namespaces, ids, tokens and answers of services,
made by changing recorded ones and from the grammar. None may crash, run without end, or be accepted against the grammar.

  --seed WORD     the same word gives the same cases; default one of the clock's, which is printed
  --cases COUNT   how many frames, payloads and envelopes; several times as many others come on top; default 1000000
  --reader NAME   this reader alone, with all of the cases: ${readers.map(({ name }) => name).join(', ')}
  --case N        this case alone: its input and what comes of it
  --help          this text

Exit code: 0 all hold, 1 one does not (its input is printed, made small), 2 it could not be asked for.
`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now()) },
      cases: { type: 'string', default: '1000000' },
      reader: { type: 'string' },
      case: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const { seed } = values
  const chosen = readers.filter(({ name }) => values.reader === undefined || name === values.reader)
  if (chosen.length === 0) throw new Error(`--reader expected one of ${readers.map(({ name }) => name).join(', ')}`)
  if (values.case !== undefined) return alone(seed, values.reader, whole('case', values.case))
  const cases = whole('cases', values.cases)
  console.log(`seed ${seed}, ${cases} cases of ${values.reader ?? counted.map(({ name }) => name).join(', ')}`)
  const guard = watchForEndless(readers.map(({ name }) => name))
  const ran: Ran[] = []
  for (const [reader, count] of shares(chosen, cases, values.reader === undefined ? counted : chosen)) {
    const one = await runReader(reader, { seed, cases: count, heard: at => guard.heard(reader.name, at) })
    ran.push(one)
    tell(one, seed)
  }
  await guard.end()
  const sum = ran.reduce((all, { cases }) => all + cases, 0)
  const seconds = ran.reduce((all, { ms }) => all + ms, 0) / 1000
  const failed = ran.filter(({ failing }) => failing).length
  console.log(
    `\n${sum} cases in ${seconds.toFixed(1)} s, ${Math.round(sum / seconds)} a second, ${failed === 0 ? 'all hold' : `${failed} readers fail`}`,
  )
  return failed === 0 ? 0 : 1
}

function tell({ reader, cases, taken, ms, failing }: Ran, seed: string): void {
  const share = `${Math.round((taken / cases) * 100)} % taken`
  console.log(
    `${reader.padEnd(14)} ${String(cases).padStart(8)} cases  ${share.padStart(11)}  ${String(Math.round(cases / (ms / 1000))).padStart(7)} a second`,
  )
  if (!failing) return
  console.error(`\n${reader}: ${failing.wrong}\n  its input, made small: ${JSON.stringify(failing.input)}`)
  console.error(`  again: npm run fuzz -- --seed ${seed} --reader ${reader} --case ${failing.at}\n`)
}

async function alone(seed: string, name: string | undefined, at: number): Promise<number> {
  const reader = readers.find(one => one.name === name)
  if (!reader) throw new Error('--case expected a --reader, got none')
  const input = inputOf(reader, seed, at)
  const { wrong, isTaken } = await tried(reader, input)
  console.log(`${JSON.stringify(input)}\n${isTaken ? 'taken' : 'refused'}`)
  if (wrong !== undefined) console.error(wrong)
  return wrong === undefined ? 0 : 1
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
