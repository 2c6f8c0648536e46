/**
 * One leg of the ledger proof in a process of its own: node leg.ts FOLDER tool|plain
 *
 * It writes `<leg>.jsonl` into the folder, and its processor time and memory to standard output.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { presaleCommand } from '../../../../../scripts/presale/command.ts'
import type { Evaluated } from '../../../../stack/solana/presale/evaluate.ts'
import { marksOf } from '../../../../stack/solana/presale/marks.ts'
import { fetchOf, openAnswers, type Places } from './answers.ts'
import { plainLoop } from './plainLoop.ts'

/** The kept answers and the sale. `legs.json` of the folder. */
export type Kept = { places: Places; sale: Pick<Evaluated, 'terms' | 'termsHash' | 'watched'> }

/** Processor time of the computation, that of the calls alone, and memory above that of the loaded program. */
export type Measured = { cpuSeconds: number; callSeconds: number; peakMB: number }

const sampledEvery = 500

async function main(folder: string, leg: string): Promise<void> {
  const { places, sale } = JSON.parse(readFileSync(join(folder, 'legs.json'), 'utf8')) as Kept
  const kept = openAnswers(join(folder, 'answers'), places)
  const file = openSync(join(folder, `${leg}.jsonl`), 'w')
  const before = process.memoryUsage.rss()
  let [peak, asked] = [before, 0]
  const answer = (name: string) => {
    if (asked++ % sampledEvery === 0) peak = Math.max(peak, process.memoryUsage.rss())
    return kept(name)
  }
  const names = Object.keys(places)
  const callSeconds = leg === 'tool' ? await costOfCalls(names, kept) : 0
  const began = process.cpuUsage()
  if (leg === 'tool') await computed(folder, file, answer)
  else {
    const marks = marksOf(sale.terms.authority, sale.terms.id)
    const transactions = names.filter(name => name.startsWith('["getTransaction"'))
    writeSync(file, `${plainLoop(resultsOf(transactions, answer), { ...sale, marks }).join('\n')}\n`)
  }
  const { user, system } = process.cpuUsage(began)
  closeSync(file)
  peak = Math.max(peak, process.memoryUsage.rss())
  const cpuSeconds = (user + system) / 1e6 - callSeconds
  const measured: Measured = { cpuSeconds, callSeconds, peakMB: (peak - before) / 1e6 }
  process.stdout.write(JSON.stringify(measured))
}

/** The same calls, whose answers are dropped: the part of a node, which is no part of the computation. */
async function costOfCalls(names: readonly string[], answer: (name: string) => string): Promise<number> {
  const call = fetchOf(answer)
  const began = process.cpuUsage()
  for (const [id, name] of names.entries()) {
    const [method, params] = JSON.parse(name) as [string, unknown[]]
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    await (await call('http://kept.test', { body })).text()
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

async function computed(folder: string, file: number, answer: (name: string) => string): Promise<void> {
  const args = ['ledger', '--terms', join(folder, 'terms.json'), '--rpc', 'http://kept.test']
  const code = await presaleCommand(args, {
    out: { write: text => writeSync(file, text) },
    err: process.stderr,
    call: fetchOf(answer),
    directory: folder,
    wait: async () => undefined,
  })
  if (code !== 0) throw new Error(`the ledger expected to be computed, the command ended with ${code}`)
}

function* resultsOf(names: readonly string[], answer: (name: string) => string): Generator<string> {
  for (const name of names) yield answer(name)
}

await main(process.argv[2] ?? '', process.argv[3] ?? '')
