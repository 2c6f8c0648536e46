/**
 * Number 2: the ledger of a large sale by `npm run presale -- ledger` and by the second implementation of the local chain, which
 * shares no code with it. Both have to be the same bytes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import type { PresaleIo } from '../../../../scripts/presale/verb.ts'
import { callOf } from '../payouts/world.ts'
import { filledSale } from './filledSale.ts'
import { counted, type OnDone, type ProofReport } from './report.ts'

/** Processor time of this process so far, ms. */
export type Spent = () => number

type LedgerAsked = {
  orders: number
  seed: number
  spent: Spent
  /** stands in for the command */
  command?: (args: readonly string[], io: PresaleIo) => Promise<number>
  onDone?: OnDone | undefined
}

/** Fills a sale and computes its ledger twice. */
export async function proveLedger({
  orders,
  seed,
  spent,
  command = presaleCommand,
  onDone,
}: LedgerAsked): Promise<ProofReport> {
  const { chain, operator, termsText } = await filledSale(`ledger proof ${seed}`, orders)
  const folder = mkdtempSync(join(tmpdir(), 'presale-proof-'))
  const said = { out: [] as string[], err: '' }
  let [nodeMs, calls, read] = [0, 0, 0]
  const all = chain.ledger.all().length
  const serve = callOf(chain, method => {
    calls += 1
    if (method === 'getTransaction') onDone?.(++read, all)
  })
  // The chain answers before `serve` returns, so that its time can be taken off
  const call: typeof fetch = (url, init) => {
    const began = spent()
    const answer = serve(url, init)
    nodeMs += spent() - began
    return answer
  }
  const began = spent()
  let code: number
  try {
    const terms = join(folder, 'terms.json')
    writeFileSync(terms, termsText)
    code = await command(['ledger', '--terms', terms, '--rpc', 'http://chain.test'], {
      out: { write: text => said.out.push(text) },
      err: { write: text => (said.err += text) },
      call,
      directory: folder,
      wait: async () => undefined,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
  const cpuSeconds = (spent() - began - nodeMs) / 1000
  const ours = said.out.join('')
  const judgedFrom = spent()
  const { lines, statuses } = operator.evaluate()
  const secondSeconds = (spent() - judgedFrom) / 1000
  const theirs = lines.map(line => `${line}\n`).join('')
  const different = ours === theirs ? undefined : firstDifference(ours, theirs)
  const sentences = [
    `${lines.length} rows of ${all} transactions on the chain, seed ${seed}: ${counted(statuses)}`,
    different === undefined
      ? `both ledgers are the same ${Buffer.byteLength(ours)} bytes`
      : `the ledgers differ: ${different}${code === 0 ? '' : `; the command ended with ${code}: ${said.err.trim()}`}`,
    `${cpuSeconds.toFixed(1)} s of processor time for ours without the node’s answers (${calls} calls), ${secondSeconds.toFixed(1)} s for the second`,
  ]
  return {
    proof: 'ledger',
    number: 2,
    holds: code === 0 && different === undefined && lines.length > 0,
    figures: {
      seed,
      transactions: all,
      rows: lines.length,
      bytes: Buffer.byteLength(ours),
      differences: different === undefined ? 0 : 1,
      calls,
      cpuSeconds: Number(cpuSeconds.toFixed(2)),
      statuses,
    },
    lines: sentences,
  }
}

function firstDifference(ours: string, theirs: string): string {
  const [mine, others] = [ours.split('\n'), theirs.split('\n')]
  const at = others.findIndex((line, place) => line !== mine[place])
  const place = at < 0 ? others.length : at
  return `row ${place + 1} expected ${others[place] ?? 'none'}, got ${mine[place] ?? 'none'}`
}
