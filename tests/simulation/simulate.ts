/** Runs one seed of the simulated world, from its first boot to the calm after the last fault. */
import { failureOf, isMismatched, isPaid } from '../../src/events/subjects/order/order.ts'
import { booksDiffer } from '../../src/events/subjects/sale/ledger.ts'
import { changesSincePin } from '../../src/events/sale/saleChanges.ts'
import { shortHash } from '../../src/runtime/log/shortHash.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { deciders as allDeciders } from '../../src/worker/deciders/index.ts'
import type { Kept } from './checkpoints.ts'
import { settleBuilds } from './buildsCalm.ts'
import { type Coverage, createCoverage } from './coverage.ts'
import { createDice } from './dice.ts'
import { disagreements, latestEnd, logWrongs, unrest } from './ending.ts'
import { createInvariants } from './invariants.ts'
import { createPerson, type Person } from './person.ts'
import { createThrowing } from './throwing.ts'
import { type Played, playOnPromises } from './runtime/played.ts'
import { createSimulatedWorld, type SimulatedWorld } from './world.ts'

export type Simulated = {
  seed: number
  /** first violated invariant; undefined for none */
  wrong?: string
  /** phase in which it was found: during the faults, in the calm after them, or in the log */
  phase: 'faults' | 'calm' | 'log'
  inputs: number
  facts: number
  lives: number
  /** of the log's text: the same seed gives the same hash in every engine */
  hash: string
  lines: readonly string[]
  reached: Coverage['reached']
  /** every fault and every step of the person, by name and number */
  drawn: readonly string[]
}

/** After a clock jump an order waits a minute for its proof, and two looks, ms. */
const calmMs = 85_000
/** Time after the last wait until all sides know its end, ms. */
const afterMs = 20_000
/** Time after a restart in the calm until everything is restored, ms. */
const restartMs = 25_000
const purchaseMs = 90_000
/** Limit of inputs per seed; more is a storm. */
const mostInputs = 30_000

type Run = {
  seed: number
  /** faults and steps of the person of an earlier run of this seed to leave out */
  without?: ReadonlySet<string>
  /** of the core; replaced in tests */
  deciders?: readonly Decider[]
}

/**
 * Runs a seed on the product's own journal: between two events everything that it awaits goes on. Worlds run one after the
 * other, as they share the engine's timers.
 *
 * @param without faults and steps of an earlier run of this seed to leave out
 * @param deciders of the core; replaced in tests
 */
export const simulate = (
  seed: number,
  without?: ReadonlySet<string>,
  deciders?: readonly Decider[],
): Promise<Simulated> => playOnPromises(play({ seed, ...(without && { without }), ...(deciders && { deciders }) }))

function* play({ seed, without = new Set(), deciders = allDeciders }: Run): Played<Simulated> {
  const dice = createDice(seed, without)
  const seen = createCoverage()
  const wrongs: string[] = []
  const tell = (what: string) => void wrongs.push(what)
  const kept: Kept[] = []
  const throwing = createThrowing(deciders)
  const world = createSimulatedWorld({
    seed,
    dice,
    style: dice.oneOf('style', ['sign', 'bareSignature', 'signAndSend'] as const),
    hands: dice.oneOf('hands', ['signTransaction', 'signAndSendTransaction'] as const),
    deciders: throwing.deciders,
    throwing,
    immediate: false,
    death: () => undefined,
    watch: createInvariants({ seen, tell, keep: one => void kept.push(one) }),
  })
  const person = createPerson(world, dice)

  const isWrong = () => wrongs.length > 0
  /** Advances time until then, or until an invariant is violated. */
  function* pass(until: number): Passing {
    while (!isWrong() && world.queue.next(until)) {
      if (world.steps() > mostInputs) tell('inputs come without end')
      yield world.outside
    }
    if (!isWrong()) world.queue.pass(until)
  }

  world.start()
  const faultsUntil = world.queue.now() + dice.between('length', 60_000, 280_000)
  while (!isWrong() && world.queue.now() < faultsUntil) {
    if (dice.steps()) person.step()
    yield* pass(Math.min(faultsUntil, world.queue.now() + dice.between('pause', 300, 12_000)))
  }
  let phase: Simulated['phase'] = 'faults'
  if (!isWrong()) {
    phase = 'calm'
    for (const what of yield* calmDown({ world, person, pass, dice, isWrong })) tell(what)
  }
  yield* settle(world)
  // A life without storage has a log of its own
  const log = world.life()?.log ?? world.log()
  if (!isWrong()) {
    phase = 'log'
    for (const what of logWrongs(log, {
      model: world.model(),
      deciders: throwing.deciders,
      kept,
      topics: world.relay.topics,
      which: seed,
    }))
      tell(what)
  }
  const [wrong] = wrongs
  seen.drew(dice.drawn)
  return {
    seed,
    ...(wrong === undefined ? {} : { wrong }),
    phase,
    inputs: world.steps(),
    facts: log.facts.length,
    lives: log.head.life,
    hash: `${shortHash(log.lines.join('\n'))}${shortHash([...log.lines].reverse().join('\n'))}`,
    lines: log.lines,
    reached: seen.reached,
    drawn: dice.drawn,
  }
}

type Passing = Played<void>

/** Everything the last life took is on disk. */
function* settle({ life, queue, outside }: SimulatedWorld): Passing {
  const { journal, inbox } = life() ?? {}
  inbox?.stop()
  let isDone = false
  const end = () => void (isDone = true)
  void journal?.flush('strict').then(end, end)
  yield outside
  while (journal && !isDone && queue.next(Number.MAX_SAFE_INTEGER)) yield outside
}

type Calming = {
  world: SimulatedWorld
  person: Person
  pass(until: number): Passing
  dice: { calm(): void }
  isWrong(): boolean
}

/** Ends the faults: everything must come to rest by itself, and a purchase must succeed. */
function* calmDown({ world, person, pass, dice, isWrong }: Calming): Played<string[]> {
  dice.calm()
  world.cure()
  world.queue.freeze(0)
  world.chain.calm()
  world.setOnline(true)
  for (const tab of world.browser.tabs.values()) world.show(tab, true)
  yield* pass(world.queue.now() + 1000)
  const unsettled = yield* settleBuilds(world, pass)
  if (unsettled.length > 0 || isWrong()) return unsettled
  yield* comeToRest({ world, pass, isWrong })
  // At the first glance no core ran, or it was on another chain's log: in its own one it may lack what ended lives there
  if (!isWrong() && needsReload(world)) yield* comeToRest({ world, pass, isWrong })
  if (isWrong()) return []
  const found = [...unrest(world), ...disagreements(world)]
  if (found.length > 0) return found
  for (const cause of ['lost', 'start'] as const) {
    world.die(cause)
    yield* pass(world.queue.now() + restartMs)
    const restless = isWrong() ? [] : unrest(world)
    if (restless.length > 0) return restless.map(what => `after a calm restart ${what}`)
  }
  if (isWrong()) return []
  return yield* buyOnce({ world, person, pass, dice, isWrong })
}

/**
 * The person looks at the page; then all waits end. A world that is not at rest by then has the time once more: a limit of calls that was told
 * before the calm holds back the first look for a minute, and an order that its wallet sent needs 200 blocks after that.
 */
function* comeToRest({ world, pass, isWrong }: Pick<Calming, 'world' | 'pass' | 'isWrong'>): Passing {
  glance(world)
  let until = world.queue.now() + calmMs
  let isLonger = false
  for (;;) {
    const model = world.model()
    const waitMs = Math.max(
      until - world.queue.now(),
      model ? latestEnd(world, model) + afterMs - world.queue.now() : 0,
    )
    if (isWrong()) break
    if (waitMs <= 0) {
      if (isLonger || unrest(world).length === 0) break
      isLonger = true
      until = world.queue.now() + calmMs
    } else yield* pass(world.queue.now() + waitMs)
  }
}

/** @returns whether the core lacks an input, or keeps nothing */
function needsReload(world: SimulatedWorld): boolean {
  const model = world.model()
  return world.lacks() || (model !== undefined && model.core.storage !== 'durable')
}

/** The person looks at the page, and reloads it when it advises that. */
function glance(world: SimulatedWorld): void {
  if (needsReload(world) || world.model()?.sale.distrust) world.reloadTab(world.leader())
  for (const tab of world.browser.tabs.values()) {
    world.tell(tab, 'page.visible', { visible: false })
    world.tell(tab, 'page.visible', { visible: true })
  }
}

function* buyOnce({ world, person, pass, isWrong }: Calming): Played<string[]> {
  const { offer } = world.model()?.network ?? {}
  const here = world.browser.first()
  // The sale is at home
  if (offer && here && offer.active !== offer.home) {
    person.press(here, 'network.switch', { caip2: offer.home })
    yield* pass(world.queue.now() + 60_000)
    // This log may still set aside what ended lives in it, and wait for wallets that were asked before
    if (!isWrong()) yield* comeToRest({ world, pass, isWrong })
  }
  const model = world.model()
  const tab = world.browser.first()
  if (!model || !tab || world.chain.said.closed) return []
  world.browser.settleAccount()
  const early = Object.values(model.order).find(order => order.phase === 'pressAwaited')
  if (early) person.press(tab, 'order.abandon', { orderId: early.orderId })
  for (const order of Object.values(model.order))
    if (isMismatched(order) && !order.dismissed) person.press(tab, 'order.dismiss', { orderId: order.orderId })
  person.press(tab, 'connection.connectInstalled', {
    walletKey: 'k1',
    wallet: { walletId: 'lantern', name: 'Lantern' },
  })
  yield* pass(world.queue.now() + 20_000)
  if (isWrong()) return []
  const connected = world.model()
  if (!connected) return ['no worker runs when the person wants to buy']
  // A treasury confirmed meanwhile may have been replaced by the old one again
  if (changesSincePin(connected.sale).length > 0) {
    person.confirm(tab, connected)
    yield* pass(world.queue.now() + 1000)
  }
  // The operator's figures were others before
  if (booksDiffer(connected).length > 0) {
    person.press(tab, 'ledger.verify', { act: 'start' })
    yield* pass(world.queue.now() + 10_000)
  }
  const before = new Set(Object.keys(connected.order))
  person.buy(tab, connected, '2500000000')
  yield* pass(world.queue.now() + purchaseMs)
  if (isWrong()) return []
  const order = Object.values(world.model()?.order ?? {}).find(one => !before.has(one.orderId))
  if (!order || !isPaid(order))
    return [`in the calm a purchase ended as ${order?.phase ?? 'nothing'} ${(order && failureOf(order)?.code) ?? ''}`]
  return [...unrest(world), ...disagreements(world)]
}
