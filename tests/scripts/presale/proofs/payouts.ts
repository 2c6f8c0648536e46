/**
 * Number 5: tokens for many recipients of the local chain, whose payer is killed again and again: at random journal lines, or at
 * every line that no run has come to before, by turns before and after it is written.
 *
 * After a death the next run has the journal as it was, none at all, or a copy that a second payer runs at the same time. The node's
 * lists and statuses lag at random: each may be an older one. In the end every balance has to equal the plan, and the reserve to have
 * lost as much. The seed names the recipients, the kills and the answers that lag.
 */
import { setImmediate as nextTask } from 'node:timers/promises'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import type { Plan } from '../../../../src/worker/services/planFile.ts'
import type { Journal, JournalLine } from '../../../../scripts/presale/state.ts'
import { rollDice } from '../../../simulation/runtime/dice.ts'
import { changing, keyOf, memoryJournal, openWorld, payingOf, type World } from '../payouts/world.ts'
import { counted, countOne, type OnDone, type ProofReport } from './report.ts'

/** The journal of the next run, each as often as it stands here. To read all without one takes as many calls as batches. */
const fates = [...Array.from({ length: 13 }, () => 'kept' as const), 'copied', 'copied', 'deleted'] as const

/** `pay`: stands in for the payer. */
type PayoutsAsked = {
  recipients: number
  kills: number
  /** killed at every line instead, `kills` times at most */
  everyLine?: boolean
  lanes: number
  seed: number
  onDone?: OnDone | undefined
  pay?: typeof payPlan | undefined
}
type Count = { kills: number; lines: number; calls: number; lagging: number; fates: Record<string, number> }

/** Pays one plan through all kills, and compares each balance with it. */
export async function provePayouts({
  recipients,
  kills,
  everyLine = false,
  lanes,
  seed,
  onDone,
  pay,
}: PayoutsAsked): Promise<ProofReport> {
  const world = openWorld(`payout proof ${seed}`)
  const before = world.held(world.accounts.reserveTokens)
  const plan = world.tokenPlan('proof', { count: recipients, lanes })
  const count = await payThrough(world, plan, { kills, everyLine, seed, onDone, pay })
  const rows = plan.batches.flatMap(batch => batch.rows)
  const differ = rows.filter(({ to, units }) => world.held(to) !== BigInt(units)).length
  const planned = rows.reduce((sum, { units }) => sum + BigInt(units), 0n)
  const lost = before - world.held(world.accounts.reserveTokens)
  const batches = plan.batches.length
  const paid = { planned: planned.toString(), lost: lost.toString() }
  return {
    proof: 'payouts',
    number: 5,
    holds: differ === 0 && lost === planned,
    figures: { seed, recipients, batches, lanes, ...count, differ, ...paid },
    lines: [
      `${recipients} recipients in ${batches} batches on ${lanes} lanes, seed ${seed}`,
      `${count.kills} kills (journal ${counted(count.fates)}), ${count.lines} journal lines, ${count.calls} calls, ${count.lagging} answers lagged`,
      `${rows.length - differ} of ${rows.length} balances equal the plan, ${differ} differ`,
      `the reserve lost ${lost} base units, the plan pays ${planned}`,
    ],
  }
}

/** Runs a plan until a run survives; the gaps between kills are random around an even spread. */
async function payThrough(
  world: World,
  plan: Plan,
  { kills, everyLine, seed, onDone, pay = payPlan }: Omit<PayoutsAsked, 'recipients' | 'lanes'>,
): Promise<Count> {
  const dice = rollDice({}, seed)
  const count: Count = { kills: 0, lines: 0, calls: 0, lagging: 0, fates: {} }
  const lines = plan.batches.length * 4
  const key = keyOf(world.accounts.reserve)
  let left: JournalLine[] = []
  const run = async (
    kept: readonly JournalLine[],
    deathAt: DeathAt,
  ): Promise<{ lines: JournalLine[]; isDone: boolean }> => {
    const journal = memoryJournal(kept)
    const paying = payingOf(world, {
      plan,
      journal: mortal(journal, deathAt, count),
      call: lagging(world, dice, count),
      wait: waiting(world),
    })
    const isDone = await pay(paying, key, { lanes: plan.lanes }).then(
      ({ unpaid }) => unpaid.length === 0,
      (cause: unknown) => {
        if (cause instanceof Killed) return false
        throw cause
      },
    )
    return { lines: journal.lines, isDone }
  }
  const atNewLine = deathAtNewLine()
  const deathIn = (): DeathAt => {
    if (count.kills >= kills) return () => undefined
    return everyLine ? atNewLine : deathAfter(dice.between('life', 1, Math.max(2, Math.floor((2 * lines) / kills))))
  }
  for (;;) {
    const fate = dice.oneOf('journal', fates)
    if (count.kills > 0) countOne(count.fates, fate)
    const kept = fate === 'deleted' ? [] : left
    const [first, second] = await Promise.all([
      run(kept, deathIn()),
      ...(fate === 'copied' ? [run(kept, deathIn())] : []),
    ])
    if (first?.isDone || second?.isDone) return count
    count.kills += 1
    left = first?.lines ?? []
    onDone?.(count.kills, Math.min(kills, lines))
  }
}

class Killed extends Error {}

/** Says of each line whether the process dies before it is written, or right after. */
type DeathAt = (line: JournalLine) => 'before' | 'after' | undefined

/** `life`: lines of it. An even one ends after its last line, an odd one before the next. */
function deathAfter(life: number): DeathAt {
  let written = 0
  return () => {
    written += 1
    if (written > life) return 'before'
    return written === life && life % 2 === 0 ? 'after' : undefined
  }
}

/** At each line that no run has come to, by turns before and after it is written. */
function deathAtNewLine(): DeathAt {
  const met = new Set<string>()
  return line => {
    const text = JSON.stringify(line)
    if (met.has(text)) return undefined
    met.add(text)
    return met.size % 2 === 0 ? 'before' : 'after'
  }
}

/** No line is written after the death. */
function mortal(journal: Journal, deathAt: DeathAt, count: Count): Journal {
  let isDead = false
  return {
    lines: journal.lines,
    add(line) {
      const death = isDead ? 'before' : deathAt(line)
      isDead = death !== undefined
      if (death !== 'before') {
        count.lines += 1
        journal.add(line)
      }
      if (isDead) throw new Killed()
    },
  }
}

/** A node one of whose lists or statuses in three is an older one: some of the newest transactions are not in it yet. */
function lagging(world: World, dice: ReturnType<typeof rollDice>, count: Count): typeof fetch {
  return changing(world.chain, (method, _, result) => {
    count.calls += 1
    const isStatus = method === 'getSignatureStatuses'
    if (!isStatus && method !== 'getSignaturesForAddress') return result
    const { value, ...context } = (isStatus ? result : { value: result }) as { value: unknown[] }
    const isEmpty = value.every(one => one === null)
    if (isEmpty || !dice.chance('an answer lags', 1 / 3)) return result
    count.lagging += 1
    return isStatus ? { ...context, value: [null] } : value.slice(dice.between('newest that lag', 1, value.length))
  })
}

/** The VM's results are native memory, which is freed between tasks only. */
function waiting(world: World): () => Promise<void> {
  return async () => {
    world.chain.advance(16)
    await nextTask()
  }
}
