/**
 * Distributes tokens to many recipients of the local chain, killed again and again at random journal lines, and counts.
 *
 *   npm run presale:proof -- [--recipients 10000] [--kills 200] [--lanes 8] [--seed 1]
 *
 * After a death the next run has the journal as it was, none at all, or a copy that a second payer runs at the same time. In the end
 * every balance has to equal the plan, and the reserve to have lost as much. The seed names the recipients and the kills.
 */
import { setImmediate as nextTask } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import type { Plan } from '../../../../scripts/presale/payouts/planFile.ts'
import type { Journal, JournalLine } from '../../../../scripts/presale/state.ts'
import { rollDice } from '../../../simulation/runtime/dice.ts'
import { callOf, keyOf, memoryJournal, openWorld, payingOf, type World } from './world.ts'

const fates = ['kept', 'kept', 'deleted', 'copied'] as const

type Count = { kills: number; lines: number; calls: number; fates: Record<string, number> }

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      recipients: { type: 'string', default: '10000' },
      kills: { type: 'string', default: '200' },
      lanes: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [recipients, kills, lanes] = [
    whole('recipients', values.recipients, 100_000),
    whole('kills', values.kills, 100_000),
    whole('lanes', values.lanes, 32),
  ]
  const world = openWorld(`payout proof ${values.seed}`)
  const before = world.held(world.accounts.reserveTokens)
  const plan = world.tokenPlan('proof', { count: recipients, lanes })
  console.log(`${recipients} recipients in ${plan.batches.length} batches on ${lanes} lanes, seed ${values.seed}`)
  const count = await payThrough(world, plan, { kills, seed: whole('seed', values.seed, 2 ** 31) })
  const rows = plan.batches.flatMap(batch => batch.rows)
  const wrong = rows.filter(({ to, units }) => world.held(to) !== BigInt(units)).length
  const planned = rows.reduce((sum, { units }) => sum + BigInt(units), 0n)
  const lost = before - world.held(world.accounts.reserveTokens)
  const journals = Object.entries(count.fates).map(([fate, times]) => `${times} ${fate}`)
  console.log(
    `${count.kills} kills (journal ${journals.join(', ')}), ${count.lines} journal lines, ${count.calls} calls`,
  )
  console.log(`${rows.length - wrong} of ${rows.length} balances equal the plan, ${wrong} differ`)
  console.log(`the reserve lost ${lost} base units, the plan pays ${planned}`)
  if (wrong > 0 || lost !== planned) process.exitCode = 1
}

function whole(name: string, text: string, most: number): number {
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN
  if (value <= most) return value
  throw new Error(`--${name} expected a whole number from 1 to ${most}, got ${text}`)
}

/** Runs a plan until a run survives; the gaps between kills are random around an even spread. */
async function payThrough(world: World, plan: Plan, { kills, seed }: { kills: number; seed: number }): Promise<Count> {
  const dice = rollDice({}, seed)
  const count: Count = { kills: 0, lines: 0, calls: 0, fates: {} }
  const lines = plan.batches.length * 4
  const key = keyOf(world.accounts.reserve)
  let left: JournalLine[] = []
  const run = async (
    kept: readonly JournalLine[],
    life: number,
  ): Promise<{ lines: JournalLine[]; isDone: boolean }> => {
    const journal = memoryJournal(kept)
    const paying = payingOf(world, {
      plan,
      journal: mortal(journal, life, count),
      call: counted(world, count),
      wait: waiting(world),
    })
    const isDone = await payPlan(paying, key, { lanes: plan.lanes }).then(
      ({ unpaid }) => unpaid.length === 0,
      (cause: unknown) => {
        if (cause instanceof Killed) return false
        throw cause
      },
    )
    return { lines: journal.lines, isDone }
  }
  for (;;) {
    const life =
      count.kills < kills
        ? dice.between('life', 1, Math.max(2, Math.floor((2 * lines) / kills)))
        : Number.POSITIVE_INFINITY
    const fate = dice.oneOf('journal', fates)
    if (count.kills > 0) count.fates[fate] = (count.fates[fate] ?? 0) + 1
    const kept = fate === 'deleted' ? [] : left
    const [first, second] = await Promise.all([run(kept, life), ...(fate === 'copied' ? [run(kept, life)] : [])])
    if (first?.isDone || second?.isDone) return count
    count.kills += 1
    left = first?.lines ?? []
    if (process.stdout.isTTY) process.stdout.write(`\r${count.kills} kills`)
  }
}

class Killed extends Error {}

/** A journal whose process dies after so many lines, before or after the last of them is written. */
function mortal(journal: Journal, life: number, count: Count): Journal {
  let written = 0
  return {
    lines: journal.lines,
    add(line) {
      written += 1
      if (written > life) throw new Killed()
      count.lines += 1
      journal.add(line)
      if (written === life && life % 2 === 0) throw new Killed()
    },
  }
}

function counted(world: World, count: Count): typeof fetch {
  return callOf(world.chain, () => void (count.calls += 1))
}

/** The VM's results are native memory, which is freed between tasks only. */
function waiting(world: World): () => Promise<void> {
  return async () => {
    world.chain.advance(16)
    await nextTask()
  }
}

await main()
