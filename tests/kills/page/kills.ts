/**
 * A page without interface: the product's supervisor, store and wallet driver around the product's worker, a visitor who
 * presses at full speed, and a function that kills the worker meanwhile.
 */
import workerUrl from '../../../src/worker/worker.ts?worker&url'
import { openOrder, orderKeyOf } from '../../../src/events/subjects/order/order.ts'
import type { OrderPhase } from '../../../src/events/subjects/order/orderState.ts'
import type { SentPageFact } from '../../../src/runtime/log/record.ts'
import type { Attached, PageAnswer } from '../../../src/events/wire.ts'
import type { Command } from '../../../src/events/command.ts'
import { builtAddresses, coreConfig } from '../../../src/main/config.ts'
import { createWallets } from '../../../src/main/drivers/wallets/wallets.ts'
import { presaleSettings } from '../../../src/main/page/presaleConfig.ts'
import { createSupervisor } from '../../../src/main/page/supervisor/supervisor.ts'
import { trustedScriptURL } from '../../../src/main/page/integrity/trusted.ts'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore } from '../../../src/ui/store.ts'
import { type Chance, seededChance } from '../chance.ts'
import { beginnings, type Plan } from '../plan.ts'
import type { Seen, Testimony } from '../seen.ts'
import { nextCommand, walletName } from '../visitor.ts'
import type { KillsPage } from './api.ts'
import { tapped } from './tap.ts'
import { announceWallet } from './wallet.ts'

/** Time after which a plan runs even if its moment does not come, ms. */
const patienceMs = { call: 600, back: 600, performed: 3000, phase: 4000 }
/** Longest pause between two actions of the visitor, ms. */
const hasteMs = 8
const thinkMs = 60
/** Pause that keeps below the supervisor's limits: ten deaths in three minutes, two in ten seconds, ms. */
const calmMs = 30_000

const addresses = builtAddresses()
const store = createStore({ request: task => void setTimeout(task), hidden: () => false }, foldBatch)
const seen: Seen[] = []
let told = 0
let ahead = 0
let pressing = true
let chance: Chance
let endWorker: (() => void) | undefined
const nothing = () => undefined
/** Called at every moment at which a plan may kill the worker. */
let happened: (at: Plan['at'], name: string) => void = nothing

const now = () => Date.now() + ahead
const wallets = createWallets({ window, dispatch: fact => supervisor.dispatch(fact) })
const supervisor = createSupervisor({
  store,
  config: coreConfig(addresses, presaleSettings(addresses, []).host),
  makeWorker,
  now,
  wallets: {
    ...wallets,
    perform(effect) {
      see({ saw: 'performed', effectId: bare(effect.id), type: effect.type })
      happened('performed', effect.type)
      wallets.perform(effect)
    },
  },
})

/** Strips the log from an effect's key: a page separates effects by log, and there is only one here. */
function bare(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}

/** @returns once it is stored outside, where that is supported */
async function witnessed(one: Seen): Promise<void> {
  seen.push(one)
  await window.__seen?.(one)
}

function see(one: Seen): void {
  void witnessed(one)
}

function makeWorker() {
  const made = new Worker(trustedScriptURL(workerUrl), { type: 'module', name: 'mai-core' })
  const shown = tapped(made, {
    sent({ name, args }) {
      if (name === 'answer') {
        const [effectId, { type }] = args as [string, PageAnswer]
        see({ saw: 'offered', effectId, type })
      }
      happened('call', name)
    },
    settled({ name, args }, value) {
      acknowledged(name, args, value)
      happened('back', name)
    },
  })
  endWorker = () => {
    made.terminate()
    // A worker ended from outside reports nothing
    shown.onerror?.call(made, new ErrorEvent('error', { message: 'killed', cancelable: true }))
  }
  return shown
}

function acknowledged(name: string, args: unknown[], value: unknown): void {
  if (name === 'command') {
    const [{ type }, ref] = args as [Command, string]
    see({ saw: 'command', ref, type })
  } else if (name === 'answer') {
    const [effectId, { type }] = args as [string, PageAnswer]
    see({ saw: 'answer', effectId, type })
  } else if (name === 'pageFacts') {
    const [records] = args as [SentPageFact[]]
    for (const { tab, p, type } of records) see({ saw: 'pageFact', tab, p, type })
  } else if (name === 'attach') {
    see({ saw: 'attached', ...(value as Attached) })
  }
}

/** One action after another, a few ms apart, also without a core; ends with the pressing. */
function hurry(): void {
  if (!pressing) return
  const { tab, installed } = store.model()
  const wallet = installed.find(({ name }) => name === walletName)
  if (chance.below(2) === 0 || tab.phase !== 'attached' || !wallet)
    supervisor.dispatch({ type: 'tab.themed', data: { theme: chance.below(2) === 0 ? 'light' : 'dark' } })
  else supervisor.command(nextCommand(store.model(), chance, wallet.walletKey))
  setTimeout(hurry, 1 + chance.below(hasteMs))
}

/** Resolves once the worker was killed at the moment of the plan. */
function end(plan: Plan): Promise<void> {
  return new Promise(resolve => {
    let isOver = false
    const die = () => {
      // Its moment and the end of the patience may both have come
      if (isOver) return
      isOver = true
      clearTimeout(late)
      unsubscribe()
      happened = nothing
      lose()
      resolve()
    }
    let count = 0
    const come = () => {
      if (++count < plan.nth) return
      unsubscribe()
      happened = nothing
      if (plan.delayMs === 0) die()
      else setTimeout(die, plan.delayMs)
    }
    const late = setTimeout(die, patienceMs[plan.at])
    happened = (at, name) => {
      if (at === plan.at && name === plan.name) come()
    }
    let unsubscribe = () => {}
    if (plan.at !== 'phase') return
    const known = new Set(ordersIn(plan.name))
    unsubscribe = store.subscribe(() => ordersIn(plan.name).some(id => !known.has(id)) && come())
  })
}

/** The worker is gone from here on. */
function lose(): void {
  see({ saw: 'killed' })
  ahead += calmMs
  endWorker?.()
}

function ordersIn(phase: OrderPhase): string[] {
  return Object.values(store.model().order).flatMap(order => (order.phase === phase ? [order.orderId] : []))
}

async function testify(): Promise<Testimony> {
  await supervisor.joined()
  // Later observations may be newer than the log
  const before = seen.length
  const recording = await supervisor.core.recording([])
  const testimony = { recording, before: before - told, seen: seen.slice(told) }
  told = seen.length
  return testimony
}

const page: KillsPage = {
  start({ words, word }) {
    chance = seededChance(...words)
    const address = announceWallet({
      word,
      rpcUrl: addresses.solanaRpcUrl,
      thinkMs: () => chance.below(thinkMs),
      prompted: orderKey => witnessed({ saw: 'prompted', orderKey }),
    })
    supervisor.start()
    hurry()
    return address
  },
  async kill(plan) {
    const ended = end(plan)
    // A beginning requires an end first
    if (beginnings.includes(plan.name)) lose()
    if (plan.name === 'recording') supervisor.core.recording([]).catch(() => undefined)
    await ended
    return testify()
  },
  testify,
  rest() {
    const { tab, order } = store.model()
    const wasPressing = pressing
    pressing = false
    // The last press may still become an order
    if (wasPressing) return 'just pressed'
    if (tab.phase !== 'attached') return `the page is ${tab.phase}`
    const open = openOrder({ order })
    // It waits for a person, without limit
    if (open?.phase === 'pressAwaited') supervisor.command({ type: 'order.abandon', data: { orderId: open.orderId } })
    return open ? `order ${orderKeyOf(open)} is ${open.phase}` : ''
  },
}
window.kills = page
