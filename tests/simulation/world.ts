/**
 * A simulated device and its surroundings in virtual time: tabs, the leading worker with its real core, inbox and dispatcher,
 * its disk, the chain, the relay, the wallets. The given dice are its only randomness.
 */
import { type CoreModel, emptyCoreModel } from '../../src/events/app.ts'
import type { EffectType } from '../../src/events/effect.ts'
import { checkpointLines } from '../../src/events/checkpoint/snapshot.ts'
import { firstDifference } from '../../src/runtime/replay/firstDifference.ts'
import { Fault } from '../../src/runtime/failure.ts'
import type { Effect, FactRecord, InputRecord } from '../../src/runtime/log/record.ts'
import { createCore } from '../../src/worker/core/core.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { deciders as allDeciders } from '../../src/worker/deciders/index.ts'
import { createDispatcher } from '../../src/worker/host/dispatcher.ts'
import type { Answer } from '../../src/runtime/host/driver.ts'
import type { Draft } from '../../src/runtime/core/draft.ts'
import { createInbox } from '../../src/worker/host/inbox.ts'
import type { Inbox } from '../../src/runtime/host/inbox.ts'
import { movesMoney } from '../../src/worker/host/money/movesMoney.ts'
import type { Care } from '../../src/runtime/journal/journal.ts'
import { strictest } from '../../src/runtime/journal/strictest.ts'
import type { Transient } from '../../src/worker/core/transient.ts'
import { genesisHash as theGenesis } from '../worker/story.ts'
import { bootData, noon } from '../worker/world.ts'
import { createBrowser, type Hands, type Tab } from './browser.ts'
import { createChain } from './chain.ts'
import type { Dice } from './dice.ts'
import { type DiskJournal, emptyLog, type Log, losePower, type OnDisk, openDisk } from './disk.ts'
import { createDrivers } from './drivers.ts'
import { createPoison, type Stepping } from './poison.ts'
import { createQuestions } from './questions.ts'
import { createQueue } from './queue.ts'
import { createLinks, ours, theirs } from './links.ts'
import { createRealLog, openReal, type RealLog } from './realDisk.ts'
import { createRelay, emptyVault, type Vault } from './relay.ts'
import { timersOf } from './virtualTime.ts'
import { createWalletApp, type Style } from './walletApp.ts'

/**
 * Death of the worker at an input. `done`: every effect was released; `stored`: on disk, but effects that wait for the disk
 * were not released; `unstored`: not on disk; `inStep`: not on disk, and its page assumes it ended in the step; `deadly`: the
 * same for every worker that steps this input. Cause `start`: the page dies with it.
 */
export type Death = { how: 'done' | 'stored' | 'unstored' | 'inStep' | 'deadly'; cause: 'lost' | 'start' }

export type Stepped = {
  input: InputRecord
  facts: FactRecord[]
  effects: Effect<EffectType>[]
  model: CoreModel
  /** the core's transient memory */
  memory(): Record<string, unknown>
}

/** Pending waits of a life. */
export type Waits = {
  isTimed(timerId: string): boolean
  /** types of unanswered effects */
  underWay: ReadonlySet<string>
  /** messages waiting for an attestation, and those done with it, by call id */
  attested: Readonly<Record<string, 'asked' | 'done'>>
  /** whether a page is visible */
  isSeen: boolean
  at: number
}

/** Observes everything and reports violations; the world continues until its owner stops it. */
export type Watch = {
  /** @param n the last input on disk */
  begins(facts: readonly FactRecord[], life: number, n: number): void
  stepped(step: Stepped): void
  /** Called when the immediate effects of a step have been dispatched. */
  rested?(model: CoreModel, waits: Waits): void
  carried(effect: { id: string; type: EffectType; data: never }, onDisk: OnDisk): void
  prompted(order: string): void
  acknowledged(n: number): void
  wrong(what: string): void
}

export type Setting = {
  seed: number
  dice: Dice
  style: Style
  hands: Hands
  /** deciders of the core; default its own */
  deciders?: readonly Decider[]
  /** every step is on disk at once */
  immediate: boolean
  /** the product's own journal writes the log; its promises go on between two events */
  real?: boolean
  /** death of the worker after this many inputs of all its lives */
  death(steps: number): Death | undefined
  watch: Watch
}

type Life = {
  log: Log
  inbox: Inbox
  core: ReturnType<typeof createCore>
  journal: DiskJournal
  number: number
  /** it takes nothing more, and dies once it is on disk */
  isDying?: boolean
}

/** All that a life begins with. */
type Beginning = {
  cause: 'lost' | 'start'
  number: number
  opened: Log
  journal: DiskJournal
  vault: Vault
  known: { care: Care; dead?: Draft | undefined }
  core: ReturnType<typeof createCore>
}

const restartMs = 200
/** Inputs between two checkpoints of the product's own journal. */
const checkpointEvery = 120

export function createSimulatedWorld(setting: Setting) {
  const { seed, dice, style, hands, immediate, real = false, death, watch, deciders = allDeciders } = setting
  const queue = createQueue(noon)
  if (real) timersOf(queue)
  const logs = new Map<string, Log>()
  const realLogs = new Map<string, RealLog>()
  /** what takes real time: the caller awaits it before the next event */
  const outside: Promise<unknown>[] = []
  /** stores beside the logs on disk: the vault, and transactions' bytes */
  const beside = { vault: emptyVault(), bytes: new Set<string>() }
  let genesisHash = theGenesis
  let life: Life | undefined
  let drivers: ReturnType<typeof createDrivers> | undefined
  let leader = ''
  let steps = 0
  let offsetMs = 0
  let isOnline = true
  let isBeginning = false
  let isOpening = false
  const questions = createQuestions()
  /** a life persisted nothing, or power was lost: its messages may be repeated */
  let forgets = false
  const poison = createPoison(watch)
  /** the last life known to an open page */
  let lastLife = 0
  let bornAt = 0

  const now = () => queue.now() + offsetMs
  const chain = createChain(queue, dice)
  const attests = dice.chance('a verify service is set', 0.4)
  const prompts = new Map<string, number>()
  const asked = (ref: string) => {
    const order = chain.nameOf(ref)
    prompts.set(order, (prompts.get(order) ?? 0) + 1)
    watch.prompted(order)
  }
  const relay = createRelay({
    queue,
    dice,
    emit: ({ type, data }, to) => void take({ type, data, ...(to === undefined ? {} : { to }) }),
    heard: (topic, payload) => app.hear(topic, payload),
    acknowledged: (pushId, said) => {
      const lies = life?.log ?? log()
      const at = lies.lines.filter(line => line.startsWith('{"k":"i"') && line.includes(`"pushId":"${pushId}"`))
      if (at.length === 0) watch.wrong(`the relay was told that ${pushId} is kept, but it is not on disk`)
      // Quarantined inputs are not answered, nor those without a disk
      const isAside = at.some(line => line.includes('"type":"core.setAside"'))
      if (said && !isAside && lies === log()) questions.acknowledged(said.topic, said.payload, genesisHash)
    },
  })
  const links = createLinks({
    queue,
    dice,
    relay: () => relay,
    take(draft) {
      const tab = browser.first()
      return (
        life !== undefined && tab !== undefined && takeAndKeep({ ...draft, tab: tab.name }, 'strict', () => undefined)
      )
    },
    openTab,
    heard: (topic, payload) => {
      questions.heardByLink(topic, payload)
      app.hear(topic, payload, 'link')
    },
    wrong: watch.wrong,
  })
  const app = createWalletApp({ queue, dice, chain, style, relay: () => relay, links, asked })
  const browser = createBrowser({ queue, dice, chain, hands, deliver, asked, openWallet: links.open })
  /** Whether this page accepts messages by links, and the wallet links known from the start. */
  const taking = dice.chance('takes links', 0.7)
    ? { links: { universal: ours, apps: dice.chance('knows the wallet', 0.7) ? [theirs] : [] } }
    : {}

  function realLog(): RealLog {
    let known = realLogs.get(genesisHash)
    if (!known) realLogs.set(genesisHash, (known = createRealLog(queue, dice)))
    return known
  }

  function log(): Log {
    if (real) return realLog().log
    let known = logs.get(genesisHash)
    if (!known) logs.set(genesisHash, (known = emptyLog()))
    return known
  }

  /** Submits a draft to the core. @returns false if no core took it */
  function take(draft: Draft): boolean {
    if (!life || life.isDying) return false
    try {
      life.inbox.take(draft)
    } catch (cause) {
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

  function deliver(to: string | undefined, { type, data }: Answered, tab: string, stored: () => void): boolean {
    return takeAndKeep({ type, data, tab, ...(to === undefined ? {} : { to }) }, 'strict', stored)
  }

  function perform(effect: Effect, answer: (input: Answer) => void): Promise<void> {
    const { id, type, tab, data } = effect
    watch.carried(
      { id, type: type as EffectType, data: data as never },
      life?.journal.onDisk() ?? { stored: 0, written: 0, durable: false },
    )
    const isPrompt = type === 'wallet.connect' ? data.silent !== true : type.startsWith('wallet.sign')
    const named = tab === undefined ? undefined : browser.tabs.get(tab)
    const page = named ?? (tab !== undefined && isPrompt ? undefined : browser.first())
    const fail = (code: string, message: string) =>
      answer({ type: 'wallet.failed', data: { failure: { code, message } } })
    const ref = data.bytesRef
    if (!page) fail('wallet_gone', 'a wallet request expected a page to show it, there is none')
    else if (typeof ref === 'string' && !chain.isKept(ref))
      fail('expired', 'a wallet request expected its bytes to be kept, they are gone')
    else queue.after(1, 'page', () => browser.perform(page, id, type, data as never))
    return { catch: () => undefined } as unknown as Promise<void>
  }

  function begin(cause: 'lost' | 'start'): void {
    const here = browser.first()
    if (!here || life) return
    if (!browser.tabs.has(leader)) leader = here.name
    const lies = log()
    const number = Math.max(lies.head.life, lastLife) + 1
    lastLife = number
    bornAt = queue.now()
    const { dead, ...guarded } = poison.begins(genesisHash, lies.head.n, lies.head.care, cause)
    const care = { build: '', ...guarded }
    const known = { care, dead }
    if (dice.strikes('storage.denied')) return beginInMemory(cause, number, known)
    if (real) return void beginOnDisk(cause, number, known)
    lies.strict = { ...lies.strict, head: { ...lies.strict.head, life: number, care } }
    lies.head = { ...lies.head, life: number, care }
    const journal = openDisk(lies, { queue, dice, immediate, inMemory: false, failed: storageFailed })
    live({ cause, number, opened: lies, journal, vault: beside.vault, known, core: folded(lies) })
  }

  const storageFailed = (message: string) => void take({ type: 'core.storageFailed', data: { message } })

  function folded({ facts }: Log): ReturnType<typeof createCore> {
    const core = createCore(deciders, emptyCoreModel())
    for (const fact of facts) core.recall(fact)
    return core
  }

  /** The device denies storage. */
  function beginInMemory(cause: 'lost' | 'start', number: number, known: Beginning['known']): void {
    poison.keepsNothing()
    forgets = true
    const lies = log()
    const opened: Log = { ...structuredClone(lies), lines: [...lies.lines] }
    opened.head = { ...opened.head, life: number, care: known.care }
    const calm = { ...dice, strikes: () => false }
    const journal = openDisk(opened, { queue, dice: calm, immediate: true, inMemory: true, failed: storageFailed })
    live({ cause, number, opened, journal, vault: emptyVault(), known, core: folded(opened) })
  }

  /** The product's own journal reads the log and opens it. */
  async function beginOnDisk(cause: 'lost' | 'start', number: number, known: Beginning['known']): Promise<void> {
    isOpening = true
    const { build } = bootData(number)
    const ports = { life: number, build, care: known.care, failed: storageFailed, wrong: watch.wrong }
    const record = await openReal(realLog(), ports).catch(() => undefined)
    isOpening = false
    if (!record) return beginInMemory(cause, number, known)
    const opened = log()
    const core = createCore(deciders, record.known.model, { seq: record.known.from.seq })
    for (const fact of record.known.facts) core.recall(fact)
    const differs = firstDifference(JSON.stringify(folded(opened).model), JSON.stringify(core.model))?.path
    if (differs !== undefined && differs !== 'order of keys')
      watch.wrong(`what is read from the disk is not what was committed: ${differs}`)
    const { keys } = record.vault
    const lacking = Object.keys(core.model.session).find(topic => !keys.has(topic))
    if (lacking !== undefined) watch.wrong(`the session ${lacking} is on disk without its key`)
    live({ ...record, cause, number, opened, known, core })
  }

  function live({ cause, number, opened, journal, vault, known: { care, dead }, core }: Beginning): void {
    const denied = journal.storage === 'memory'
    relay.use(vault)
    chain.keepIn(denied ? new Set() : beside.bytes)
    watch.begins(opened.facts, number, opened.head.n)
    const stepping: Stepping = {
      log: genesisHash,
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
      online: () => isOnline,
      relocate,
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
    const inbox = createInbox({
      core,
      journal,
      life: number,
      now,
      stepped({ input, facts, effects }) {
        steps += 1
        watch.stepped({ input, facts, effects, model: core.model, memory: core.memory })
        const dies = poison.isDeadly(input)
          ? ({ how: 'inStep', cause: 'lost' } as const)
          : (death(steps) ?? (dice.strikes('worker.dies') ? drawDeath() : undefined))
        const isKept = !dies || dies.how === 'done' || dies.how === 'stored'
        if (isKept) journal.mark(poison.wentWell(input, stepping, journal.head().care ?? care))
        if (!dies) {
          dispatch(effects)
          if (real && !denied && life && input.n % checkpointEvery === 0) keepCheckpoint(life, input.at)
          const { asked, pages, wire } = core.memory() as Pick<Transient, 'asked' | 'pages' | 'wire'>
          const isSeen = Object.values(pages).some(({ visible }) => visible)
          const underWay = new Set(Object.values(asked).map(({ type }) => type))
          // A jump is told before the input it came with, whose timer has fired already
          if (input.type !== 'clock.jumped')
            watch.rested?.(core.model, {
              isTimed: timerId => drivers?.timers.has(timerId) ?? false,
              underWay,
              attested: wire.attested ?? {},
              isSeen,
              at: input.at,
            })
          return
        }
        dispatch(effects.filter(effect => effect.after === undefined || dies.how === 'done'))
        if (isKept && real && !denied) return dieOnceStored(dies.cause)
        if (isKept) journal.settle()
        else journal.revoke()
        if (dies.how === 'deadly') poison.makeDeadly(input)
        if (dies.how === 'deadly' || dies.how === 'inStep') poison.died(input, stepping)
        die(dies.cause)
      },
      broke: cause => watch.wrong(`a step failed half way: ${String(cause)}`),
    })
    life = { log: opened, inbox, core, journal, number }
    take({
      type: 'core.boot',
      data: bootData(number, {
        cause,
        seed: `seed-${seed}-${number}`,
        storage: journal.storage,
        online: isOnline,
        genesisHash,
        featured: ['w3', 'w1'],
        ...taking,
        ...(attests && { attests }),
      }),
    })
    if (dice.strikes('storage.cut')) take({ type: 'core.logDamaged', data: { records: 3 } })
    if (dice.strikes('storage.fills')) take({ type: 'core.logFull', data: { records: 25_000 } })
    const { aside } = care
    inbox.beCareful({ ...(dead ? { dead } : {}), aside, isOver: () => true, drain: async () => undefined })
    for (const tab of browser.tabs.values()) queue.after(30, 'worker', () => attach(tab))
  }

  /** The worker takes nothing more and dies as soon as everything is on disk, or cannot be. */
  function dieOnceStored(cause: 'lost' | 'start'): void {
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
      // Its code is loaded in real time
      outside.push(import('../../src/runtime/journal/retention.ts'))
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

  function attach(tab: Tab): void {
    if (browser.tabs.get(tab.name) !== tab) return
    const taker = life
    const taken = take({ type: 'page.attached', data: browser.hello(tab), tab: tab.name })
    if (!taken || life !== taker) return
    if (isOnline !== life?.core.model.network.online) tell(tab, 'page.online', { online: isOnline })
    browser.redeliver(tab)
  }

  /** Events of a page reach the worker as messages. */
  function tell(tab: Tab, type: string, data: Record<string, unknown>): void {
    queue.after(1, 'worker', () => {
      if (browser.tabs.get(tab.name) === tab) take({ type, data, tab: tab.name })
    })
  }

  /** Ends the worker. With `start` its page dies too. */
  function die(cause: 'lost' | 'start', { power = false } = {}): void {
    const dying = life
    life = undefined
    dying?.inbox.stop()
    dying?.journal.lose(dice)
    if (isOpening) {
      isOpening = false
      realLog().database.kill()
    }
    relay.drop()
    queue.drop('worker')
    queue.freeze(0)
    if (power) {
      forgets = true
      if (real) realLog().database.losePower()
      else losePower(log(), dice)
      for (const name of browser.tabs.keys()) browser.close(name)
      queue.drop('page')
    } else if (cause === 'start') browser.close(leader)
    if (!browser.first()) {
      lastLife = 0
      browser.open()
    }
    beginSoon(cause)
  }

  function beginSoon(cause: 'lost' | 'start'): void {
    if (isBeginning) return
    isBeginning = true
    queue.after(restartMs, 'outside', () => {
      isBeginning = false
      begin(cause)
    })
  }

  function openTab(): void {
    const tab = browser.open()
    queue.after(100, 'worker', () => attach(tab))
  }

  /** The RPC switches to another chain, which has a log of its own. */
  function relocate(to: string): void {
    if (to === genesisHash) return
    queue.after(1, 'worker', () => {
      die('lost')
      genesisHash = to
      // Effects of one log do not exist in another
      for (const tab of browser.tabs.values()) tab.kept.clear()
    })
  }

  return {
    queue,
    chain,
    relay,
    app,
    browser,
    log,
    logs,
    outside,
    now,
    start(): void {
      leader = browser.open().name
      begin('start')
    },
    /** The core's model; undefined without a worker. */
    model: (): CoreModel | undefined => life?.core.model,
    timers: () => drivers?.timers.size ?? 0,
    isTimed: (timerId: string) => drivers?.timers.has(timerId) ?? false,
    /** Time of the last timer with one of these prefixes. */
    latestTimer: (prefixes: readonly string[]) =>
      Math.max(
        0,
        ...[...(drivers?.timers ?? [])]
          .filter(([timerId]) => prefixes.some(prefix => timerId.startsWith(prefix)))
          .map(([, timer]) => timer.at),
      ),
    /** Beginning of the current life. */
    bornAt: () => bornAt,
    /** Number of prompts for an order. */
    prompts: (bytesRef: string) => prompts.get(chain.nameOf(bytesRef)) ?? 0,
    steps: () => steps,
    life: () => life,
    /** Whether an input is quarantined. */
    lacks: () => (log().head.care?.aside.length ?? 0) > 0,
    /** Ends all deadly inputs. */
    cure: poison.cure,
    /** The disk fails permanently, until the page is reloaded. */
    ruinDisk(): void {
      forgets = true
      life?.journal.ruin()
    },
    questions,
    forgets: () => forgets,
    /** The chain of the current log. */
    chainOfLog: () => genesisHash,
    isOnline: () => isOnline,
    leader: () => leader,
    /** A person's press in a tab. */
    command(tab: string, type: string, data: Record<string, unknown>, ref: string): void {
      const draft = { type, data, tab, ref }
      queue.after(1, 'worker', () => void takeAndKeep(draft, 'relaxed', () => undefined))
    },
    tell,
    die,
    openTab,
    takesLinks: () => taking.links !== undefined,
    closeTab(name: string): void {
      if (name === leader) return die('start')
      browser.close(name)
      if (!browser.first()) return die('start')
      queue.after(10_000, 'worker', () => void take({ type: 'page.left', data: {}, tab: name }))
    },
    reloadTab(name: string): void {
      if (name === leader) {
        // A waiting tab, or the reopened one, takes its place
        browser.close(name)
        browser.open()
        return die('start')
      }
      browser.close(name)
      const tab = browser.open()
      queue.after(10_000, 'worker', () => void take({ type: 'page.left', data: {}, tab: name }))
      queue.after(300, 'worker', () => attach(tab))
    },
    freeze(ms: number): void {
      queue.freeze(queue.now() + ms)
      const tab = browser.tabs.get(leader)
      queue.after(ms, 'outside', () => void (tab && tell(tab, 'page.resumed', {})))
    },
    jump: (byMs: number) => void (offsetMs += byMs),
    setOnline(online: boolean): void {
      if (online === isOnline) return
      isOnline = online
      if (!online) relay.cut()
      for (const tab of browser.tabs.values()) tell(tab, 'page.online', { online })
    },
    show(tab: Tab, visible: boolean): void {
      if (tab.visible === visible) return
      tab.visible = visible
      tell(tab, 'page.visible', { visible })
    },
  }
}
export type SimulatedWorld = ReturnType<typeof createSimulatedWorld>

type Answered = { type: string; data: Record<string, unknown> }
