/**
 * Number 7: one missing, extra, reordered or altered transaction among many. A node tells the lie in all of its answers, and the
 * product's own computation has to refuse the history, or to end in another hash than the honest ledger's.
 *
 * A trial goes on from the honest ledger at the end of a slot before the lie, as a stored part does, and ends when the history is
 * refused, or some transactions after the rows became different: each hash covers the one before it, so that it stays different.
 * Some trials are run from the beginning, too, with the lists of signatures, and have to be found there as well.
 */
import { Fault } from '../../../../src/runtime/failure.ts'
import { computeLedger } from '../../../../src/worker/ledger/computeLedger.ts'
import { scanSale } from '../../../../src/worker/ledger/saleHistory.ts'
import { randomOf } from '../../../fuzz/random.ts'
import { nodeOf } from '../../../worker/ledger/recordedChain.ts'
import { type HonestSale, openHonestSale } from './honestSale.ts'
import { type Plant, planted, plantKinds } from './plants.ts'
import { counted, countOne, mostTold, type OnDone, type ProofReport } from './report.ts'

export type LedgerJudge = typeof computeLedger

type PlantedAsked = {
  transactions: number
  trials: number
  seed: number
  /** how many of them are run from the beginning, too */
  whole: number
  /** this trial alone */
  trial?: number | undefined
  judge?: LedgerJudge
  onDone?: OnDone | undefined
}

/** `refused`: by the rule or code of the failure. `hash`: the ledger's hash became another one. */
type Found = { by: 'refused'; rule: string } | { by: 'hash' } | { by: 'nothing' } | { by: 'crash'; error: string }

type Trial = { number: number; plant: Plant }

/** After the rows became different, a refusal is awaited for this many transactions. */
const patience = 40

/** Plants one lie after another into the history of one sale. */
export async function provePlanted(asked: PlantedAsked): Promise<ProofReport> {
  const { transactions, trials, seed, whole, trial, judge = computeLedger, onDone } = asked
  const honest = await openHonestSale(`planted proof ${seed}`, transactions)
  const numbers = trial === undefined ? Array.from({ length: trials }, (_, at) => at + 1) : [trial]
  const inOrder = numbers
    .map(number => ({ number, plant: plantOf(honest, seed, number) }))
    .sort((a, b) => a.plant.firstSlot - b.plant.firstSlot)
  const count = {
    kinds: Object.fromEntries(plantKinds.map(kind => [kind, 0])) as Record<string, number>,
    refused: {} as Record<string, number>,
    byHash: 0,
    undetected: 0,
    crashed: 0,
  }
  const told: string[] = []
  const again = `npm run presale:proof -- --part planted --seed ${seed} --transactions ${transactions} --trial`
  const note = ({ number, plant }: Trial, found: Found, way: string) => {
    if (found.by === 'nothing') count.undetected += 1
    if (found.by === 'crash') count.crashed += 1
    if (found.by !== 'nothing' && found.by !== 'crash') return
    const end = found.by === 'crash' ? `crashed (${found.error})` : 'was not detected'
    if (told.length < mostTold) told.push(`trial ${number}${way} ${end}: ${plant.said}; again: ${again} ${number}`)
  }
  for (const [done, one] of inOrder.entries()) {
    const found = await tried(honest, one.plant, judge)
    countOne(count.kinds, one.plant.kind)
    if (found.by === 'refused') countOne(count.refused, found.rule)
    if (found.by === 'hash') count.byHash += 1
    note(one, found, '')
    onDone?.(done + 1, inOrder.length)
  }
  const fromBeginning = inOrder.filter(({ number }) => number <= whole || number === trial)
  for (const one of fromBeginning) note(one, await triedWhole(honest, one.plant, judge), ', from the beginning,')
  const detected = inOrder.length - count.undetected - count.crashed
  return {
    proof: 'planted',
    number: 7,
    holds: count.undetected + count.crashed === 0 && inOrder.length > 0,
    figures: {
      seed,
      transactions: honest.history.records.length,
      trials: inOrder.length,
      whole: fromBeginning.length,
      ...count,
      told,
    },
    lines: [
      `${inOrder.length} trials (${counted(count.kinds)}) among ${honest.history.records.length} transactions, seed ${seed}; ${fromBeginning.length} of them from the beginning, too`,
      `${Math.max(0, detected)} detected, ${count.undetected} undetected, ${count.crashed} crashed`,
      `refused: ${counted(count.refused) || 'none'}; found by the hash alone: ${count.byHash}`,
      ...told,
    ],
  }
}

function plantOf({ history }: HonestSale, seed: number, number: number): Plant {
  const random = randomOf(`planted ${seed} ${number}`)
  return planted(random, history, plantKinds[number % plantKinds.length] ?? 'missing')
}

class Enough extends Error {}

/** Continues the honest ledger with the lie. */
async function tried(honest: HonestSale, plant: Plant, judge: LedgerJudge): Promise<Found> {
  const from = await honest.before(plant.firstSlot)
  const { sale, scan, verify } = honest
  const lines = honest.linesWith(plant, from.slot)
  let differentSince: number | undefined
  let read = 0
  return foundBy(
    honest,
    () => differentSince !== undefined,
    () =>
      judge(
        honest.nodeWith(plant),
        sale,
        { ...scan, lines },
        {
          verify,
          from,
          ahead: 2,
          onSlot({ slot, state }) {
            if (slot < plant.lastSlot) return
            if (differentSince === undefined && honest.hashAt(slot) !== honest.hashOf(state)) differentSince = read
            if (differentSince !== undefined && read >= differentSince + patience) throw new Enough()
          },
          onRead: count => (read = count),
        },
      ),
  )
}

/** The whole way of a visitor: lists, transactions, proof. */
async function triedWhole(honest: HonestSale, plant: Plant, judge: LedgerJudge): Promise<Found> {
  const { served, sale, verify } = honest
  const { call } = nodeOf(served, sale.first.terms.cluster.genesisHash, {}, honest.recordsWith(plant))
  return foundBy(
    honest,
    () => false,
    async () => judge(call, sale, await scanSale(call, sale), { verify }),
  )
}

async function foundBy(
  honest: HonestSale,
  isDifferent: () => boolean,
  run: () => ReturnType<LedgerJudge>,
): Promise<Found> {
  try {
    const { state } = await run()
    return honest.hashOf(state) === honest.hash ? { by: 'nothing' } : { by: 'hash' }
  } catch (cause) {
    if (cause instanceof Enough && isDifferent()) return { by: 'hash' }
    if (cause instanceof Fault) return { by: 'refused', rule: String(cause.facts?.rule ?? cause.code) }
    return { by: 'crash', error: cause instanceof Error ? cause.message : String(cause) }
  }
}
