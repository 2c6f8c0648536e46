/**
 * A simulated device and its surroundings in virtual time: tabs, the leading worker, its disk, the chain, the relay, the
 * wallets. The given dice are its only randomness.
 */
import type { CoreModel } from '../../src/events/app.ts'
import type { EffectData, EffectType } from '../../src/events/effect.ts'
import { networkOfGenesis } from '../../src/events/values/networks.ts'
import type { Draft } from '../../src/runtime/core/draft.ts'
import type { Effect } from '../../src/runtime/log/record.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { deciders as allDeciders } from '../../src/worker/deciders/index.ts'
import type { Answer } from '../../src/runtime/host/driver.ts'
import { moneyUnderWay } from '../../src/worker/host/money/moneyUnderWay.ts'
import { noon } from '../worker/world.ts'
import { createAnswers } from './answers.ts'
import { createBrowser, type Hands, type Tab } from './browser.ts'
import { createBuilds } from './builds.ts'
import { type Answered, createChain } from './chain.ts'
import type { Dice } from './dice.ts'
import { createLinks, ours, theirs } from './links.ts'
import { createLives } from './lives.ts'
import { createPageCommands } from './pageCommands.ts'
import { createPageModels } from './pageModels.ts'
import { createQuestions } from './questions.ts'
import { createQueue } from './runtime/queue.ts'
import { createRelay } from './relay.ts'
import { createStores } from './stores.ts'
import { otherGenesis } from './termsHost.ts'
import { createTabWorkers } from './tabWorkers.ts'
import { loadedLate, timersOf } from './runtime/virtualTime.ts'
import { createHostRequests } from './hostRequests.ts'
import { createWalletApp, type Style } from './walletApp.ts'
import type { Throwing } from './throwing.ts'
import type { Death, Stepped, Watch } from './watch.ts'

export type Setting = {
  seed: number
  dice: Dice
  style: Style
  hands: Hands
  /** deciders of the core; default its own */
  deciders?: readonly Decider[]
  /** chooses steps in which these deciders throw */
  throwing?: Throwing
  /** every step is on disk at once, for one build and pages without a model; else the product's own journal writes the log */
  immediate: boolean
  /** death of the worker after this many inputs of all its lives */
  death(steps: number): Death | undefined
  watch: Watch
}

const restartMs = 200
const idOf = (genesisHash: string) => networkOfGenesis(genesisHash).caip2

export function createSimulatedWorld(setting: Setting) {
  const { seed, dice, style, hands, immediate, death, watch, deciders = allDeciders, throwing } = setting
  const queue = createQueue(noon)
  if (!immediate) timersOf(queue)
  const builds = createBuilds(dice, !immediate)
  const stores = createStores({
    queue,
    dice,
    immediate,
    wrong: watch.wrong,
    loads: () => void lives.outside.push(loadedLate()),
  })
  /** chain of the page's own node, and all that a person may choose */
  let home = stores.chain()
  const all = [home, otherGenesis]
  const offers = dice.chance('offers networks', 0.12)
  let entering: { to: string; data: EffectData['core.switchNetwork']['entering'] } | undefined
  let leader = ''
  let offsetMs = 0
  let isOnline = true
  let isBeginning = false
  const questions = createQuestions()

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
    emit: ({ type, data }, to) => void lives.take({ type, data, ...(to === undefined ? {} : { to }) }),
    heard: (topic, payload) => app.hear(topic, payload),
    acknowledged: (pushId, said) => {
      const lies = lives.life()?.log ?? stores.log()
      const at = lies.lines.filter(line => line.startsWith('{"k":"i"') && line.includes(`"pushId":"${pushId}"`))
      if (at.length === 0) watch.wrong(`the relay was told that ${pushId} is kept, but it is not on disk`)
      // Quarantined inputs are not answered, nor those that a decider failed on, nor those without a disk
      const faults = lies.facts.flatMap(({ type, n }) => (type === 'core.faulted' ? [`{"k":"i","n":${n},`] : []))
      const isAside = at.some(
        line => line.includes('"type":"core.setAside"') || faults.some(start => line.startsWith(start)),
      )
      if (said && !isAside && lies === stores.log()) questions.acknowledged(said.topic, said.payload, stores.chain())
    },
  })
  const links = createLinks({
    queue,
    dice,
    relay: () => relay,
    give(url, stored) {
      const tab = browser.first()
      if (!tab || !lives.life()) return undefined
      if (commands) commands.give(tab, { type: 'link.received', data: { url } }).then(stored, () => undefined)
      else takeLink(url, { ref: url, tab: tab.name }, stored)
      return tab
    },
    isOpen: tab => browser.tabs.get(tab.name) === tab,
    openTab: () => openTab(),
    heard: (topic, payload) => {
      questions.heardByLink(topic, payload)
      app.hear(topic, payload, 'link')
    },
    wrong: watch.wrong,
  })
  const hostRequests = createHostRequests(watch, () => lives.life()?.log.lines ?? [])
  const { heard: askedByHost } = hostRequests
  const answers = createAnswers(queue)
  const app = createWalletApp({ queue, answers, dice, chain, style, relay: () => relay, links, asked, askedByHost })
  const browser = createBrowser({
    queue,
    answers,
    dice,
    chain,
    hands,
    isJoined,
    deliver,
    asked,
    openWallet: links.open,
  })
  /** Whether this page accepts messages by links, and the wallet links known from the start. */
  const taking = dice.chance('takes links', 0.7)
    ? { links: { universal: ours, apps: dice.chance('knows the wallet', 0.7) ? [theirs] : [] } }
    : {}

  const pages = !immediate
    ? createPageModels({
        queue,
        dice,
        isOpen: tab => isOpen(tab) && isJoined(tab),
        left: tab => void lives.take({ type: 'page.left', data: {}, tab: tab.name }),
        detached: attachSoon,
        wrong: watch.wrong,
      })
    : undefined
  const commands = !immediate
    ? createPageCommands({
        queue,
        dice,
        take: ({ type, data, ...given }, stored) =>
          type === 'link.received'
            ? takeLink(String(data.url), given, stored)
            : lives.takeAndKeep({ type, data, ...given }, 'relaxed', stored),
        lines: () => lives.life()?.log.lines ?? [],
        die: () => die('lost'),
      })
    : undefined
  const lives = createLives(
    { seed, dice, deciders, throwing, immediate, death, watch: { ...watch, stepped } },
    {
      queue,
      stores,
      chain,
      relay,
      now,
      isOnline: () => isOnline,
      told: { ...taking, ...(attests && { attests }) },
      perform,
      pages,
      began(journal) {
        commands?.begin(journal)
        enter()
        workers?.opened(stores.chain())
        for (const tab of browser.tabs.values()) if (isJoined(tab)) attachSoon(tab)
      },
      die,
      relocate,
      switchNetwork,
      chosen: () => (stores.chain() === home ? undefined : stores.chain()),
      offer: () => (offers ? { home: idOf(home), active: idOf(stores.chain()), networks: all.map(idOf) } : undefined),
    },
  )

  /** Workers of the tabs, where they are of two builds; else a lone worker serves every tab. */
  const workers = builds.two
    ? createTabWorkers({
        queue,
        life: lives.life,
        lead(tab, cause) {
          stopCore()
          leader = tab.name
          lives.begin(cause, tab.build)
        },
        stop: stopCore,
        joined: attachSoon,
        died(tab) {
          if (tab.name === leader) stopCore()
          beginSoon('lost')
        },
        wrong: watch.wrong,
      })
    : undefined

  function isJoined(tab: Tab): boolean {
    return !workers || workers.standing(tab) === 'joined'
  }

  function isOpen(tab: Tab): boolean {
    return browser.tabs.get(tab.name) === tab
  }

  function stepped(step: Stepped): void {
    hostRequests.watched(step)
    workers?.publish(step.facts)
  }

  function attachSoon(tab: Tab): void {
    queue.after(30, 'worker', () => attach(tab))
  }

  /** The core takes the message in a link. */
  function takeLink(url: string, given: Pick<Draft, 'ref' | 'tab'>, stored: () => void): boolean {
    return lives.takeAndKeep({ ...links.read(url), ...given }, 'strict', stored)
  }

  function deliver(to: string | undefined, { type, data }: Answered, tab: string, stored: () => void): boolean {
    const page = browser.tabs.get(tab)
    if (page && !isJoined(page)) return false
    return lives.takeAndKeep({ type, data, tab, ...(to === undefined ? {} : { to }) }, 'strict', stored)
  }

  function perform(effect: Effect, answer: (input: Answer) => void): Promise<void> {
    const { id, type, tab, data } = effect
    watch.carried(
      { id, type: type as EffectType, data: data as never },
      lives.life()?.journal.onDisk() ?? { stored: 0, written: 0, durable: false },
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
    if (workers) {
      for (const tab of browser.tabs.values()) workers.start(tab, cause)
      return
    }
    const here = browser.first()
    if (!here || lives.life()) return
    if (!browser.tabs.has(leader)) leader = here.name
    lives.begin(cause)
  }

  function attach(tab: Tab): void {
    if (!isOpen(tab) || !isJoined(tab)) return
    const taker = lives.life()
    pages?.attach(tab)
    commands?.attached(tab)
    const taken = lives.take({ type: 'page.attached', data: browser.hello(tab), tab: tab.name })
    if (!taken || lives.life() !== taker) return
    if (isOnline !== lives.model()?.network.online) tell(tab, 'page.online', { online: isOnline })
    browser.redeliver(tab)
  }

  /** Events of a page reach the worker as messages. */
  function tell(tab: Tab, type: string, data: Record<string, unknown>): void {
    queue.after(1, 'worker', () => {
      if (isOpen(tab) && isJoined(tab)) lives.take({ type, data, tab: tab.name })
    })
  }

  /** Ends the core where it stands. */
  function stopCore(): void {
    lives.end()
    commands?.end()
    relay.drop()
    queue.drop('worker')
    queue.freeze(0)
  }

  /** Ends the worker. With `start` its page dies too. */
  function die(cause: 'lost' | 'start', { power = false } = {}): void {
    stopCore()
    if (power) {
      lives.losePower()
      for (const name of browser.tabs.keys()) browser.close(name)
      queue.drop('page')
    } else if (cause === 'start') browser.close(leader)
    workers?.endLeader(isOpen)
    if (browser.tabs.size === 0) {
      lives.forgetLast()
      browser.open(builds.next())
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

  function openTab(build = builds.next(), inMs = 100): void {
    const tab = browser.open(build)
    if (!workers) return void queue.after(inMs, 'worker', () => attach(tab))
    queue.after(inMs, 'outside', () => void (isOpen(tab) && workers.start(tab, 'start')))
  }

  function closePage(name: string): void {
    const tab = browser.tabs.get(name)
    browser.close(name)
    if (tab) workers?.end(tab)
  }

  /** The page's own RPC switches to another chain, which has a log of its own. */
  function relocate(to: string): void {
    if (to === stores.chain()) return
    queue.after(1, 'worker', () => {
      home = to
      leaveFor(to)
    })
  }

  /** The person's choice and the connections on their way are on the disk before the core leaves. */
  function switchNetwork(
    { caip2, entering: along }: EffectData['core.switchNetwork'],
    answer: (input: Answered) => void,
  ): void {
    const { life } = lives
    const asked = life()?.number
    queue.after(1, 'worker', () => {
      const open = life()
      if (!open || open.number !== asked) return
      if (moneyUnderWay(open.core.model)) {
        const failure = { code: 'busy', message: 'a payment is under way' } as const
        return answer({ type: 'effect.failed', data: { failure } })
      }
      const to = caip2 === undefined ? home : all.find(chain => idOf(chain) === caip2)
      if (to === undefined) return watch.wrong(`the core left for ${caip2}, which nobody offers`)
      entering = { to, data: along }
      leaveFor(to)
    })
  }

  /** Brings connections in that came along; they come again after a kill before their commit. */
  function enter(): void {
    if (entering?.to !== stores.chain()) return
    const came = entering
    for (const { sessionTopic } of came.data.sessions) relay.vault().keys.add(sessionTopic)
    lives.takeAndKeep({ type: 'network.entered', data: came.data }, 'strict', () => {
      if (entering === came) entering = undefined
    })
  }

  function leaveFor(to: string): void {
    workers?.endAll()
    die('lost')
    stores.moveTo(to)
    commands?.beginAnew()
    // Effects of one log do not exist in another
    for (const tab of browser.tabs.values()) tab.kept.clear()
  }

  return {
    queue,
    chain,
    relay,
    app,
    browser,
    log: stores.log,
    logs: stores.logs,
    outside: lives.outside,
    now,
    start(): void {
      leader = browser.open().name
      begin('start')
    },
    /** The core's model; undefined without a worker. */
    model: (): CoreModel | undefined => lives.model(),
    timers: () => lives.timers()?.size ?? 0,
    listens: lives.listens,
    isTimed: (timerId: string) => lives.timers()?.has(timerId) ?? false,
    /** Time of the last timer with one of these prefixes. */
    latestTimer: (prefixes: readonly string[]) =>
      Math.max(
        0,
        ...[...(lives.timers() ?? [])]
          .filter(([timerId]) => prefixes.some(prefix => timerId.startsWith(prefix)))
          .map(([, timer]) => timer.at),
      ),
    /** Pages that do not show what the core knows, in words. */
    behind: () => pages?.behind() ?? [],
    lastAnswer: answers.last,
    /** Beginning of the current life. */
    bornAt: lives.bornAt,
    /** Number of prompts for an order. */
    prompts: (bytesRef: string) => prompts.get(chain.nameOf(bytesRef)) ?? 0,
    steps: lives.steps,
    life: lives.life,
    /** Whether an input is quarantined, or what a page says once was lost. */
    lacks: () => lives.missesPage() || (stores.log().head.care?.aside.length ?? 0) > 0,
    /** Ends all deadly inputs. */
    cure: lives.cure,
    /** The disk fails permanently, until the page is reloaded. */
    ruinDisk: lives.ruinDisk,
    questions,
    forgets: lives.forgets,
    /** The chain of the current log. */
    chainOfLog: stores.chain,
    hasMoved: stores.hasMoved,
    isOnline: () => isOnline,
    leader: () => leader,
    /** A person's press in a tab. */
    command(tab: string, type: string, data: Record<string, unknown>, ref: string): void {
      const page = browser.tabs.get(tab)
      if (page && !isJoined(page)) return
      if (commands) return void (page && commands.command(page, { type, data }))
      const draft = { type, data, tab, ref }
      queue.after(1, 'worker', () => void lives.takeAndKeep(draft, 'relaxed', () => undefined))
    },
    tell,
    die,
    openTab,
    builds,
    /** Whether this tab's page is attached to the core, or may be. */
    isJoined,
    /** Tabs of another build than the leader's, which say so. */
    staysOut: () => [...browser.tabs.values()].filter(tab => workers?.standing(tab) === 'otherBuild'),
    takeOver: (tab: Tab) => void workers?.takeOver(tab),
    takesLinks: () => taking.links !== undefined,
    isLinkLost: links.isLost,
    closeTab(name: string): void {
      if (name === leader) return die('start')
      closePage(name)
      if (browser.tabs.size === 0) return die('start')
      queue.after(10_000, 'worker', () => void lives.take({ type: 'page.left', data: {}, tab: name }))
    },
    reloadTab(name: string): void {
      if (name === leader) {
        // A waiting tab, or the reopened one, takes its place
        browser.close(name)
        browser.open(builds.next())
        return die('start')
      }
      closePage(name)
      queue.after(10_000, 'worker', () => void lives.take({ type: 'page.left', data: {}, tab: name }))
      openTab(undefined, 300)
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
      if (visible) pages?.shown(tab)
      tell(tab, 'page.visible', { visible })
    },
  }
}
export type SimulatedWorld = ReturnType<typeof createSimulatedWorld>
