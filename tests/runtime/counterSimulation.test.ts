/** The counter in seeded worlds: its worker is killed, its device loses power, its display is silent or late. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCommandOnce } from '../../src/runtime/calls/commandOnce.ts'
import { createSnapshots } from '../../src/runtime/log/createSnapshots.ts'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import { tablesHash } from '../../src/runtime/schema/tablesHash.ts'
import { everyCase } from '../everyCase.ts'
import { rollDice } from '../simulation/runtime/dice.ts'
import { type Played, playOnPromises } from '../simulation/runtime/played.ts'
import { createQueue } from '../simulation/runtime/queue.ts'
import { createRealLog, openReal } from '../simulation/runtime/realDisk.ts'
import { type Simulated, shrinkRun } from '../simulation/runtime/shrink.ts'
import { loadedLate, timersOf } from '../simulation/runtime/virtualTime.ts'
import { codec, emptyModel, facts, inputs, live, runtime, tables } from './counter.ts'

const faults = {
  'worker.dies': 0.15,
  'device.dies': 0.05,
  'display.silent': 0.2,
  'storage.slow': 0.1,
  'storage.fails': 0,
}
const means = { codec, snapshots: createSnapshots(codec, { tables, emptyModel }) }
const build = { name: 'a', format: 1 }
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')

type Outcome = Simulated & { lines: readonly string[]; lives: number; total: number }

/**
 * Plays a seed. One generator, because the page, the worker and the device share its dice and its queue.
 *
 * @param isHasty a press is acknowledged before its commit, which is a fault
 */
function* play(seed: number, without?: ReadonlySet<string>, isHasty = false): Played<Outcome> {
  const dice = rollDice(faults, seed, without)
  const queue = createQueue(1_000_000)
  timersOf(queue)
  const outside: Promise<unknown>[] = []
  const wrongs: string[] = []
  const wrong = (what: string) => void wrongs.push(what)
  const loads = () => void outside.push(loadedLate())
  const real = createRealLog({ queue, dice, format: 1, decode: codec.decodeOwn, wrong, loads })
  /** presses by their ref, until the page hears that they are on disk */
  const open = new Map<string, number>()
  let [life, given, acknowledged, shown] = [0, 0, 0, 0]
  let running: { press(ref: string, again: boolean): void; stop(): void; model: () => unknown } | undefined

  async function begin(): Promise<void> {
    life += 1
    const own = life
    const isOver = () => own !== life
    const fail = (cause: unknown) => wrong(String(cause))
    const ports = { life, build, care: { build: '', suspects: [], aside: [] }, failed: fail, shrunk: fail, wrong }
    const { journal, known } = await openReal(real, means, ports)
    const place = { journal, known, life, build: 'a', now: () => queue.now(), broke: fail }
    const { core, boot, add, kill } = live({
      ...place,
      async display({ data }, answer) {
        shown = data.count
        if (dice.strikes('display.silent')) return
        queue.after(dice.between('display', 1, 3000), 'worker', () => {
          if (!isOver()) answer({ type: 'counter.displayed', data })
        })
      },
    })
    if (core.model.count < acknowledged) wrong(`${core.model.count} is left of ${acknowledged} acknowledged`)
    await boot()
    const once = createCommandOnce<number>({ lines: async () => [...real.log.lines] }, () => undefined)
    const press = (ref: string, again: boolean) => {
      const by = open.get(ref) ?? 0
      const take = async () => {
        add(by, ref)
        if (!isHasty) await journal.flush('strict')
      }
      const acknowledge = () => {
        if (isOver() || !open.delete(ref)) return
        acknowledged += by
      }
      void once({ command: by, ref, again }, take).then(acknowledge, fail)
    }
    const stop = () => {
      journal.lose()
      kill()
    }
    running = { press, stop, model: () => core.model }
    for (const ref of open.keys()) press(ref, true)
  }

  function die(power: boolean): void {
    running?.stop()
    running = undefined
    queue.drop('worker')
    if (power) real.database.losePower()
    loads()
    void begin()
  }

  function* pass(ms: number): Played<void> {
    const until = queue.now() + ms
    do yield outside
    while (queue.next(until))
    queue.pass(until)
  }

  loads()
  void begin()
  yield* pass(1000)
  for (let step = 0; step < 30; step++) {
    const by = dice.between('by', 1, 9)
    const ref = `c${step}`
    if (dice.steps()) {
      open.set(ref, by)
      given += by
      running?.press(ref, false)
    }
    yield* pass(dice.between('pause', 1, 2000))
    if (dice.strikes('worker.dies')) die(false)
    else if (dice.strikes('device.dies')) die(true)
  }
  dice.calm()
  yield* pass(5000)
  die(false)
  yield* pass(20_000)
  const model = { count: given, shown: given, life }
  if (JSON.stringify(running?.model()) !== JSON.stringify(model))
    wrong(`expected ${JSON.stringify(model)}, got ${JSON.stringify(running?.model())}`)
  if (open.size > 0 || acknowledged !== given) wrong(`${acknowledged} of ${given} were acknowledged`)
  if (shown !== given) wrong(`the display shows ${shown} of ${given}`)
  const [first] = wrongs
  return { ...(first && { wrong: first }), drawn: dice.drawn, lines: [...real.log.lines], lives: life, total: given }
}

/** @returns what differs when the log is executed again */
async function differs({ lines }: Outcome): Promise<string | undefined> {
  const builds = { appBuild: 'a', coreBuild: 'a', registryHash: tablesHash([inputs, facts]) }
  const header = { format: 'counter-recording', version: 2, logId: 'log-1', startedAt: 0, redaction: 'plain' } as const
  const replays = await runtime.replays()
  const text = await writeRecording({ header: { ...header, ...builds }, lines }, sha256)
  const verdict = replays.reexecute((await replays.readRecording(text, sha256)).records, { build: 'a' })
  return verdict.ok ? undefined : JSON.stringify(verdict)
}

const seeds = everyCase ? 100 : 40

test('counter simulation: seeds lose nothing acknowledged, count nothing twice and are re-executed', async () => {
  const found: string[] = []
  let [lives, total] = [0, 0]
  for (let seed = 0; seed < seeds; seed++) {
    const outcome = await playOnPromises(play(seed))
    const wrong = outcome.wrong ?? (await differs(outcome))
    if (wrong !== undefined) found.push(`seed ${seed}: ${wrong}`)
    lives += outcome.lives
    total += outcome.total
  }
  expect(found).toEqual([])
  expect(lives).toBeGreaterThan(3 * seeds)
  expect(total).toBeGreaterThan(100 * seeds)
})

test('counter simulation: the same seed is the same log', async () => {
  const [one, two] = [await playOnPromises(play(7)), await playOnPromises(play(7))]
  expect(one.lines).toEqual(two.lines)
})

test('counter simulation: an acknowledgement before the commit is found, and shrunk', async () => {
  const hasty = (seed: number) => (without?: ReadonlySet<string>) => playOnPromises(play(seed, without, true))
  let seed = 0
  while ((await hasty(seed)()).wrong === undefined) seed += 1
  const { outcome, left } = await shrinkRun(hasty(seed), { most: 60 })
  expect(outcome.wrong).toMatch(/acknowledged/)
  expect(left.length).toBeLessThan(12)
})
