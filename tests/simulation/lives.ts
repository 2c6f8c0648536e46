/**
 * The lives of a worker on a simulated device: each opens the log, folds it, boots the core and steps it until it dies.
 *
 * 1. One core lives at a time; its number is higher than every one on disk and every one that a page has seen.
 * 2. A life's events carry its number: nothing of a dead worker goes on.
 */
import type { CoreModel } from '../../src/events/app.ts'
import type { EffectData } from '../../src/events/effect.ts'
import { checkpointLines, snapshots } from '../../src/events/checkpoint/snapshot.ts'
import { codec } from '../../src/events/log/codec.ts'
import { decode } from '../../src/events/log/decode.ts'
import { Fault } from '../../src/runtime/failure.ts'
import type { Effect, InputRecord } from '../../src/runtime/log/record.ts'
import { firstDifference } from '../../src/runtime/replay/firstDifference.ts'
import type { BootData, Decider } from '../../src/worker/core/context.ts'
import { createCore, type CoreMachine } from '../../src/worker/core/core.ts'
import type { Draft } from '../../src/runtime/core/draft.ts'
import type { Transient } from '../../src/worker/core/transient.ts'
import type { Answer } from '../../src/runtime/host/driver.ts'
import { createDispatcher } from '../../src/worker/host/dispatcher.ts'
import { createInbox } from '../../src/worker/host/inbox.ts'
import type { Inbox } from '../../src/runtime/host/inbox.ts'
import { movesMoney } from '../../src/worker/host/money/movesMoney.ts'
import type { Care } from '../../src/runtime/journal/head.ts'
import { strictest } from '../../src/runtime/journal/strictest.ts'
import { bootData } from '../worker/world.ts'
import { type Build, usual } from './builds.ts'
import type { Answered, Chain } from './chain.ts'
import type { Dice } from './dice.ts'
import { type DiskJournal, type Log, openAtOnce } from './runtime/disk.ts'
import { createDrivers } from './drivers.ts'
import type { PageModels } from './pageModels.ts'
import { createPoison, type Stepping } from './poison.ts'
import type { Queue } from './runtime/queue.ts'
import { openReal } from './runtime/realDisk.ts'
import { emptyVault, type Relay, type Vault } from './relay.ts'
import { folded, type Stores } from './stores.ts'
import type { Throwing } from './throwing.ts'
import { loadedLate } from './runtime/virtualTime.ts'
import { vaultOf } from './vault.ts'
import type { Death, Watch } from './watch.ts'

type Life = {
  log: Log
  inbox: Inbox
  core: CoreMachine
  journal: DiskJournal
  number: number
  /** it takes nothing more, and dies once it is on disk */
  isDying?: boolean
  /** a step failed half way: it has to refuse everything until it dies */
  isBroken?: boolean
}

type Cause = 'lost' | 'start'

/** All that a life begins with. */
type Beginning = {
  cause: Cause
  number: number
  opened: Log
  journal: DiskJournal
  vault: Vault
  known: { care: Care; dead?: Draft | undefined }
  core: CoreMachine
  build: Build
  obstacle?: 'newer'
}

type Setting = {
  seed: number
  dice: Dice
  deciders: readonly Decider[]
  throwing?: Throwing | undefined
  /** every step is on disk at once */
  immediate: boolean
  death(steps: number): Death | undefined
  watch: Watch
}

/** Surroundings of a worker. */
type Around = {
  queue: Queue
  stores: Stores
  chain: Chain
  relay: Relay
  now(): number
  isOnline(): boolean
  /** fields of the boot that the device and its host decide */
  told: Record<string, unknown>
  perform(effect: Effect, answer: (input: Answer) => void): Promise<void>
  /** models of the pages that hear this worker's facts, where pages fold at all */
  pages: PageModels | undefined
  /** a core runs: pages join it */
  began(journal: DiskJournal): void
  /** ends the worker, and with `start` its page */
  die(cause: Cause): void
  relocate(to: string): void
  switchNetwork(data: EffectData['core.switchNetwork'], answer: (input: Answered) => void): void
  chosen(): string | undefined
  /** networks to choose from, in some worlds */
  offer(): BootData['networks']
}

/** Handlers that run at most before the one that throws. */
const mostHandlers = 2

/** Inputs that a page gives once: a core whose decider threw at one hears it again only from a new page. */
const saidOnce: ReadonlySet<string> = new Set(['page.attached', 'page.online'])

/** Steps of a core's beginning, in which nothing hears that it failed. */
const unbreakable: ReadonlySet<string> = new Set(['core.boot', 'core.setAside', 'clock.jumped'])

export function createLives(
  { seed, dice, deciders, throwing, immediate, death, watch }: Setting,
  {
    queue,
    stores,
    chain,
    relay,
    now,
    isOnline,
    told,
    perform,
    pages,
    began,
    die,
    relocate,
    switchNetwork,
    chosen,
    offer,
  }: Around,
) {
  const isCounted = dice.chance('the host counts', 0.4)
  const isRuled = dice.chance('the service decides features', 0.4)
  const consent = dice.oneOf('consent', ['given', 'later'] as const)
  /** what takes real time: the caller awaits it before the next event */
  const outside: Promise<unknown>[] = []
  const poison = createPoison(watch)
  /** In most worlds a node's first word is the last: the transport costs as many inputs as all else. */
  const passesTransport = dice.chance('readings are calls of the core', 0.15)
  const nodeSockets = dice.oneOf('sockets of nodes', [0, 1, 2])
  const saleSocket = nodeSockets > 0 && dice.oneOf('socket of the sale', [false, false, true])
  let life: Life | undefined
  let drivers: ReturnType<typeof createDrivers> | undefined
  let steps = 0
  /** the life whose log is being opened */
  let opening: object | undefined
  /** a life persisted nothing, or power or its disk was lost: its messages may be repeated */
  let forgets = false
  /** a decider threw at what a page says once: this core does not know it */
  let missesPage = false
  /** the last life known to an open page */
  let lastLife = 0
  let bornAt = 0
  let lastBuild = usual

  /** Submits a draft to the core. @returns false if no core took it */
  function take(draft: Draft): boolean {
    const taker = life
    if (!taker || taker.isDying) return false
    try {
      taker.inbox.take(draft)
    } catch (cause) {
      // A step that fails half way ends its life
      if (taker.isBroken && cause instanceof Fault && cause.code === 'core_lost') return false
      const why = cause instanceof Fault ? cause.message : String(cause)
      watch.wrong(`${draft.type} was not taken: ${why}`)
    }
    return true
  }

  /** Like `command` and `answer` of the shell: acknowledged once its outcome is on disk. */
  function takeAndKeep(draft: Draft, durability: 'strict' | 'relaxed', stored: () => void): boolean {
    const taker = life
    if (!taker || !take(draft)) return false
    if (life !== taker) return true
    const { n } = taker.journal.head()
    const kept = () => {
      watch.acknowledged(n)
      stored()
    }
    // The journal itself tells of a disk that fails
    const lost = () => undefined
    void taker.journal.flush(durability === 'strict' ? strictest(taker.journal) : durability).then(kept, lost)
    return true
  }

  function begin(cause: Cause, build = usual): void {
    const lies = stores.log()
    const number = Math.max(lies.head.life, lastLife) + 1
    lastLife = number
    bornAt = queue.now()
    const { dead, ...guarded } = poison.begins(stores.chain(), lies.head.n, lies.head.care, suspectsOf(cause, build))
    const care = { build: '', ...guarded }
    const known = { care, dead }
    if (!immediate) return void beginOnDisk({ cause, number, known, build })
    lies.head = { ...lies.head, life: number, care }
    const journal = openAtOnce(lies, { isOnDisk: true, decode })
    live({ cause, number, opened: lies, journal, vault: stores.vault, known, build, core: folded(lies, deciders) })
  }

  /** A build knows nothing of the inputs that ended lives of another one. */
  function suspectsOf(cause: Cause, build: Build): Cause {
    const isSame = build.name === lastBuild.name
    lastBuild = build
    return isSame ? cause : 'start'
  }

  /** The life goes on in memory, and its acknowledgements are withheld. */
  const storageFailed = (message: string) => {
    forgets = true
    take({ type: 'core.storageFailed', data: { message } })
  }

  /** The device denies storage, or a newer build wrote the log. */
  function beginInMemory(life: Pick<Beginning, 'cause' | 'number' | 'known' | 'build' | 'obstacle'>): void {
    const { number, known } = life
    poison.keepsNothing(stores.chain())
    forgets = true
    const lies = stores.log()
    const opened: Log = { ...structuredClone(lies), lines: [...lies.lines] }
    opened.head = { ...opened.head, life: number, care: known.care }
    const journal = openAtOnce(opened, { isOnDisk: false, decode })
    live({ ...life, opened, journal, vault: { ...emptyVault(), isPartial: true }, core: folded(opened, deciders) })
  }

  /** The product's own journal reads the log and opens it, later than at once: a leader whose lead was taken ends meanwhile. */
  async function beginOnDisk(life: Pick<Beginning, 'cause' | 'number' | 'known' | 'build'>): Promise<void> {
    const { number, known, build } = life
    opening = life
    if (dice.strikes('storage.denied')) {
      const refused = loadedLate()
      outside.push(refused)
      await refused
      if (opening !== life) return
      opening = undefined
      return beginInMemory(life)
    }
    let obstacle: 'newer' | undefined
    const shrunk = (records: number) => void take({ type: 'core.logFull', data: { records } })
    const ports = { life: number, build, care: known.care, failed: storageFailed, shrunk, wrong: watch.wrong }
    if (dice.strikes('storage.damagesCheckpoint')) stores.realLog().database.damageCheckpoint()
    outside.push(loadedLate())
    const record = await openReal(stores.realLog(), { codec, snapshots }, ports).catch((cause: unknown) => {
      if (cause instanceof Fault && cause.facts?.why === 'newer') obstacle = 'newer'
      return undefined
    })
    opening = undefined
    if (!record) return beginInMemory({ ...life, ...(obstacle && { obstacle }) })
    const opened = stores.log()
    const core = createCore(deciders, record.known.model, { seq: record.known.from.seq })
    for (const fact of record.known.facts) core.recall(fact)
    const differs = firstDifference(JSON.stringify(folded(opened, deciders).model), JSON.stringify(core.model))?.path
    if (differs !== undefined && differs !== 'order of keys')
      watch.wrong(`what is read from the disk is not what was committed: ${differs}`)
    const vault = vaultOf(record, stores.realLog().database)
    const { keys } = vault
    const lacking = Object.keys(core.model.session).find(topic => !keys.has(topic))
    if (lacking !== undefined) watch.wrong(`the session ${lacking} is on disk without its key`)
    live({ ...life, journal: record.journal, vault, known, opened, core })
  }

  function live(beginning: Beginning): void {
    const { cause, number, opened, journal, vault, core, build, obstacle } = beginning
    const { care, dead } = beginning.known
    const denied = journal.storage === 'memory'
    relay.use(vault)
    chain.keepIn(denied ? new Set() : stores.bytes)
    if (!denied) poison.opened(stores.chain())
    watch.begins(opened.facts, number, opened.head.n)
    const stepping: Stepping = {
      log: stores.chain(),
      careful: cause === 'lost' || (care.suspects ?? []).length > 0,
      durable: !denied,
    }
    const heard = (draft: Draft) => void (life?.number === number && take(draft))
    drivers = createDrivers({
      queue,
      dice,
      chain,
      relay,
      now,
      online: isOnline,
      relocate,
      switchNetwork,
      chosen,
      take: heard,
      wrong: watch.wrong,
      life: number,
      passesTransport,
      nodeSockets,
      began: effect => watch.carried(effect, journal.onDisk()),
    })
    const wait = (run: () => void, ms: number) => queue.after(ms, 'worker', () => life?.number === number && run())
    const dispatch = createDispatcher({
      drivers: drivers.drivers,
      page: perform,
      journal,
      movesMoney: effect => movesMoney(core.model, effect),
      answer: heard,
      wait,
    })
    let broken: InputRecord | undefined
    const inbox = createInbox({
      core: brittle(core, number, input => void (broken = input)),
      journal,
      life: number,
      now,
      stepped({ input, facts, effects }) {
        steps += 1
        if (saidOnce.has(input.type) && facts.some(({ type }) => type === 'core.faulted')) missesPage = true
        if (input.type === 'http.answered' && facts.some(({ type }) => type === 'core.faulted'))
          drivers?.nodes.forgetPauses()
        watch.stepped({ input, facts, effects, model: core.model, memory: core.memory })
        pages?.publish(facts, input.ref !== undefined)
        const dies = poison.isDeadly(input)
          ? ({ how: 'inStep', cause: 'lost' } as const)
          : (death(steps) ?? (dice.strikes('worker.dies') ? drawDeath() : undefined))
        const isKept = !dies || dies.how === 'done' || dies.how === 'stored'
        if (isKept) journal.mark(poison.wentWell(input, stepping, journal.head().care ?? care))
        if (!dies) {
          dispatch(effects)
          if (!immediate && !denied && life && input.n % stores.realLog().checkpointEvery === 0)
            keepCheckpoint(life, input.at)
          rest(core, input)
          return
        }
        dispatch(effects.filter(effect => effect.after === undefined || dies.how === 'done'))
        if (isKept && !immediate && !denied) return dieOnceStored(dies.cause)
        if (!isKept) journal.revoke()
        if (dies.how === 'deadly') poison.makeDeadly(input)
        if (dies.how === 'deadly' || dies.how === 'inStep') poison.died(input, stepping)
        die(dies.cause)
      },
      broke(cause) {
        if (!broken) return watch.wrong(`a step failed half way: ${String(cause)}`)
        poison.died(broken, stepping)
        const ended = life
        if (!ended) return
        ended.isBroken = true
        const end = () => {
          if (life === ended) die('lost')
        }
        // Everything before the step is whole and is kept
        void journal.flush('relaxed').then(end, end)
      },
    })
    missesPage = false
    life = { log: opened, inbox, core, journal, number }
    pages?.begin(core)
    const networks = offer()
    take({
      type: 'core.boot',
      data: bootData(number, {
        cause,
        build: build.name,
        ...(obstacle && { obstacle }),
        seed: `seed-${seed}-${number}`,
        storage: journal.storage === 'durable' ? 'durable' : 'memory',
        online: isOnline(),
        genesisHash: stores.chain(),
        featured: ['w3', 'w1'],
        excluded: ['w8'],
        rests: true,
        ...(nodeSockets > 0 && { nodeSockets }),
        ...(saleSocket && { saleSocket }),
        ...(isCounted && { analytics: { consent, tracks: true as const, reports: true as const } }),
        ...(isRuled && { features: { email: true, socials: ['x' as const] }, featureRule: 'service' as const }),
        ...told,
        ...(networks && { networks }),
      }),
    })
    if (dice.strikes('storage.cut')) take({ type: 'core.logDamaged', data: { records: 3 } })
    if (dice.strikes('storage.fills')) take({ type: 'core.logFull', data: { records: 25_000 } })
    const { aside } = care
    inbox.beCareful({ ...(dead ? { dead } : {}), aside, isOver: () => true, drain: async () => undefined })
    began(journal)
  }

  /** The core, whose deciders throw, and whose steps fail half way now and then: its model is of no use from then on. */
  function brittle(core: CoreMachine, number: number, breaks: (input: InputRecord) => void): CoreMachine {
    const step = (input: InputRecord): ReturnType<CoreMachine['step']> => {
      // A core that never learns that its log is lost cannot wait for it either
      const throws = input.type !== 'core.setAside' && dice.strikes('decider.throws')
      if (throws && input.type !== 'core.storageFailed')
        throwing?.choose(input, number, dice.between('handlers before', 0, mostHandlers))
      const result = core.step(input)
      if (unbreakable.has(input.type) || !dice.strikes('step.breaks')) return result
      if (dice.chance('breaks every time', 0.5)) poison.makeDeadly(input)
      breaks(input)
      throw new TypeError('a fold expected to run, it was made to throw')
    }
    return Object.assign(Object.create(core) as CoreMachine, { step })
  }

  /** Tells of the core between two steps. */
  function rest(core: CoreMachine, { type, at }: InputRecord): void {
    const { asked, pages, wire } = core.memory() as Pick<Transient, 'asked' | 'pages' | 'wire'>
    const isSeen = Object.values(pages).some(({ visible }) => visible)
    const underWay = new Set(Object.values(asked).map(({ type }) => type))
    // A jump is told before the input it came with, whose timer has fired already
    if (type === 'clock.jumped') return
    watch.rested?.(core.model, {
      isTimed: timerId => drivers?.timers.has(timerId) ?? false,
      underWay,
      attested: wire.attested ?? {},
      isSeen,
      at,
    })
  }

  /** The worker takes nothing more and dies as soon as everything is on disk, or cannot be. */
  function dieOnceStored(cause: Cause): void {
    const dying = life
    if (!dying) return
    dying.isDying = true
    dying.inbox.stop()
    const end = () => {
      if (life === dying) die(cause)
    }
    void dying.journal.flush('strict').then(end, end)
  }

  /** A checkpoint between two groups, on disk once its segment is. */
  function keepCheckpoint({ core, journal }: Life, at: number): void {
    const { life: number, n, seq } = journal.head()
    const place = { n, seq, life: number, at, build: core.model.core.build, transient: core.memory() }
    const bytes = new TextEncoder().encode(checkpointLines(place, core.model).join('\n'))
    const kept = journal.seam().then(seam => {
      const written = journal.keep(seam, bytes)
      outside.push(loadedLate())
      return written
    })
    kept.catch(() => undefined)
  }

  function drawDeath(): Death {
    const how = dice.oneOf('death', ['done', 'stored', 'unstored'] as const)
    if (how === 'unstored' && dice.strikes('input.kills')) return { how: 'deadly', cause: 'lost' }
    if (how === 'unstored' && dice.strikes('step.unheard')) return { how: 'inStep', cause: 'lost' }
    return { how, cause: dice.oneOf('death takes the page', ['lost', 'lost', 'start'] as const) }
  }

  return {
    outside,
    take,
    takeAndKeep,
    begin,
    /** Ends the worker where it stands; a commit in flight is made, or it is not. */
    end(): void {
      const dying = life
      life = undefined
      pages?.end()
      dying?.inbox.stop()
      dying?.journal.lose()
      if (opening) {
        opening = undefined
        stores.realLog().database.kill()
      }
    },
    losePower(): void {
      forgets = true
      stores.losePower()
    },
    /** No open page has seen a life. */
    forgetLast: () => void (lastLife = 0),
    life: () => life,
    model: (): CoreModel | undefined => life?.core.model,
    timers: () => drivers?.timers,
    listens: () => drivers?.nodeSocket.isListening() ?? false,
    steps: () => steps,
    /** Beginning of the current life. */
    bornAt: () => bornAt,
    forgets: () => forgets,
    missesPage: () => missesPage,
    /** Ends all deadly inputs. */
    cure: poison.cure,
    /** The disk fails permanently, until the page is reloaded. */
    ruinDisk(): void {
      forgets = true
      life?.journal.ruin()
    },
  }
}
export type Lives = ReturnType<typeof createLives>
