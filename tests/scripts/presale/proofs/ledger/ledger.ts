/**
 * Number 2: the ledger of a large sale by `npm run presale -- ledger`, by the worker of the published page in a real browser, and by
 * the second implementation of the local chain, which shares no code with them. All have to be the same.
 *
 * The command and a plain loop are measured in processes of their own, over the same answers of the node from a file. The page
 * shows no rows: it compares the last hash, which is over the bytes of every row, and the sums.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { presaleCommand } from '../../../../../scripts/presale/command.ts'
import type { PresaleIo } from '../../../../../scripts/presale/verb.ts'
import { readTerms } from '../../../../../src/events/sale/terms/terms.ts'
import { root } from '../../../../bench/builds.ts'
import type { SolanaStack } from '../../../../stack/solana/server.ts'
import { startSolana } from '../../../../stack/solana/server.ts'
import { startStack } from '../../../../stack/start.ts'
import { callOf } from '../../payouts/world.ts'
import { counted, type OnDone, type ProofReport } from '../report.ts'
import { keepAnswers } from './answers.ts'
import type { Kept, Measured } from './leg.ts'
import { type PageLedger, pageLedger } from './pageLeg.ts'

type LedgerAsked = {
  orders: number
  seed: number
  /** whether the page's worker computes it, too */
  page: boolean
  /** of processor time that the tool may take beside its calls; absent: any */
  mostCpuSeconds?: number | undefined
  /** stands in for the command */
  command?: (args: readonly string[], io: PresaleIo) => Promise<number>
  onDone?: OnDone | undefined
}

type Computed = { code: number; ours: string; said: string; calls: number }

const base = 1_798_848_000

/** Fills a sale and computes its ledger in each way. */
export async function proveLedger({ orders, seed, page, ...rest }: LedgerAsked): Promise<ProofReport> {
  const world = {
    clock: 'manual',
    seed: `ledger proof ${seed}`,
    baseUnix: base,
    fill: { orders, ending: 'closed' },
  } as const
  if (!page) {
    const solana = await startSolana(world)
    return compared(solana, { seed, ...rest }).finally(() => solana.close())
  }
  const stack = await startStack({ ...world, cacheDir: join(root, 'node_modules/.cache/wallet-page') })
  const worker = (onDone: OnDone) => pageLedger(stack.addresses, onDone)
  return compared(stack.solana, { seed, worker, ...rest }).finally(() => stack.close())
}

type Comparing = Omit<LedgerAsked, 'orders' | 'page'> & { worker?: (onDone: OnDone) => Promise<PageLedger> }

async function compared(
  { chain, operator, info }: SolanaStack,
  { seed, worker, command = presaleCommand, mostCpuSeconds, onDone = () => undefined }: Comparing,
): Promise<ProofReport> {
  const folder = mkdtempSync(join(tmpdir(), 'presale-proof-'))
  const all = chain.ledger.all().length
  try {
    const termsText = await (await fetch(info.termsUrl)).text()
    writeFileSync(join(folder, 'terms.json'), termsText)
    let read = 0
    const node = callOf(chain, method => void (method === 'getTransaction' && onDone(++read, all)))
    const answers = keepAnswers(join(folder, 'answers'), node)
    const { code, ours, said, calls } = await toolLedger(folder, answers.call, command)
    const { lines, statuses, ledgerHash } = operator.evaluate()
    const theirs = lines.map(line => `${line}\n`).join('')
    const watched = { treasury: info.treasury, authority: info.authority, accounts: watchedIn(info) }
    // biome-ignore lint/suspicious/noExplicitAny: the second implementation has its own type of the same document
    const terms = readTerms(termsText).terms as any
    const kept: Kept = { places: answers.end(), sale: { terms, termsHash: info.termsHash, watched } }
    writeFileSync(join(folder, 'legs.json'), JSON.stringify(kept))

    const differences: string[] = []
    const compare = (name: string, text: string) => {
      if (text !== theirs) differences.push(`${name} differs: ${firstDifference(text, theirs)}`)
    }
    compare('the tool’s ledger', ours)
    if (code !== 0) differences.push(`the command ended with ${code}: ${said}`)
    const measured: Partial<Record<'tool' | 'plain', Measured>> = {}
    for (const leg of code === 0 ? (['tool', 'plain'] as const) : []) {
      measured[leg] = await legOf(folder, leg)
      compare(leg === 'tool' ? 'the measured ledger' : 'the plain loop’s ledger', textOf(folder, leg))
    }
    const { tool } = measured
    if (tool && mostCpuSeconds !== undefined && tool.cpuSeconds >= mostCpuSeconds)
      differences.push(`the tool took ${tool.cpuSeconds.toFixed(1)} s, expected less than ${mostCpuSeconds}`)
    const shown = await worker?.(onDone)
    if (shown && shown.hash !== ledgerHash)
      differences.push(`the page’s worker differs: expected hash ${ledgerHash}, got ${shown.hash}`)
    if (shown?.differs) differences.push('the page’s worker calls the team’s checkpoint different')
    const bytes = Buffer.byteLength(ours)
    return {
      proof: 'ledger',
      number: 2,
      holds: differences.length === 0 && lines.length > 0,
      figures: {
        seed,
        transactions: all,
        rows: lines.length,
        bytes,
        differences: differences.length,
        calls,
        ...measured,
        ...(shown && { page: shown }),
        statuses,
      },
      lines: [
        `${lines.length} rows of ${all} transactions on the chain, seed ${seed}: ${counted(statuses)}`,
        ...(differences.length > 0
          ? differences
          : [`tool, plain loop and second implementation: the same ${bytes} bytes`]),
        ...costs('tool', measured.tool),
        ...costs('plain loop', measured.plain),
        ...(shown ? [`page’s worker: the same hash of all rows, ${wordsOf(shown)}`] : []),
      ],
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function toolLedger(
  folder: string,
  call: typeof fetch,
  command: NonNullable<LedgerAsked['command']>,
): Promise<Computed> {
  const out: string[] = []
  let [said, calls] = ['', 0]
  const code = await command(['ledger', '--terms', join(folder, 'terms.json'), '--rpc', 'http://chain.test'], {
    out: { write: text => out.push(text) },
    err: { write: text => (said += text) },
    call: (url, init) => {
      calls += 1
      return call(url, init)
    },
    directory: folder,
    wait: async () => undefined,
  })
  return { code, ours: out.join(''), said: said.trim(), calls }
}

const watchedIn = ({ treasury, treasuryUsdc }: SolanaStack['info']) => [
  { asset: 'SOL', address: treasury },
  { asset: 'USDC', address: treasuryUsdc },
]

async function legOf(folder: string, leg: 'tool' | 'plain'): Promise<Measured> {
  const program = fileURLToPath(new URL('leg.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, folder, leg])
  return JSON.parse(stdout) as Measured
}

const textOf = (folder: string, leg: string) => readFileSync(join(folder, `${leg}.jsonl`), 'utf8')

function costs(name: string, measured: Measured | undefined): string[] {
  if (!measured) return []
  const { cpuSeconds, callSeconds, peakMB } = measured
  const calls = callSeconds === 0 ? '' : ` (and ${callSeconds.toFixed(1)} s for its calls)`
  return [`${name}: ${cpuSeconds.toFixed(1)} s of processor time${calls}, ${peakMB.toFixed(0)} MB`]
}

function wordsOf({ cpuSeconds, peakMB, seconds }: PageLedger): string {
  return `${cpuSeconds.toFixed(1)} s of processor time of its renderer, its calls among them, in ${seconds.toFixed(0)} s, ${peakMB === undefined ? 'memory unknown' : `${peakMB.toFixed(0)} MB`}`
}

function firstDifference(ours: string, theirs: string): string {
  const [mine, others] = [ours.split('\n'), theirs.split('\n')]
  const at = others.findIndex((line, place) => line !== mine[place])
  const place = at < 0 ? others.length : at
  return `row ${place + 1} expected ${others[place] ?? 'none'}, got ${mine[place] ?? 'none'}`
}
