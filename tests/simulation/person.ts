/** A seeded person: connects, buys, hesitates, presses twice, leaves and returns; and the events of the device meanwhile. */
import { changesSincePin } from '../../src/events/sale/saleChanges.ts'
import { isBeforeWallet, isDead, isMismatched, isPaid, openOrder } from '../../src/events/subjects/order/order.ts'
import type { Proposal } from '../../src/events/schema/fields.ts'
import type { CoreModel } from '../../src/events/app.ts'
import { quotePaying } from '../../src/events/sale/quote.ts'
import { saleNow } from '../../src/events/sale/saleNow.ts'
import { mint, newMint } from '../worker/deciders/order/sendStory.ts'
import { account, caip2, intent, lantern, other, terms, walletConnect } from '../worker/story.ts'
import type { Tab } from './browser.ts'
import type { Dice } from './dice.ts'
import { someAsk } from './services.ts'
import { theirs } from './links.ts'
import { moneyMethod, pageEvent, pageMethod } from './walletApp.ts'
import type { SimulatedWorld } from './world.ts'

/** A proposal with another namespace beside Solana. */
const wide: Proposal = {
  required: {},
  optional: {
    solana: {
      chains: [caip2],
      methods: ['solana_signTransaction', pageMethod, moneyMethod],
      events: ['accountsChanged'],
    },
    eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged', pageEvent] },
  },
}

/** The same, with a required part. */
const demanding: Proposal = {
  required: { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } },
  optional: wide.optional,
}

const amounts = { SOL: ['2500000000', '400000000', '1000000'], USDC: ['50000000', '900000000'] } as const

export function createPerson(world: SimulatedWorld, dice: Dice) {
  let presses = 0
  /** orders for which the person has decided on a new press, and the end of their hesitation */
  const pondered = new Set<string>()
  let thinksUntil = 0
  const press = (tab: Tab, type: string, data: Record<string, unknown>) => {
    presses += 1
    world.command(tab.name, type, data, `${tab.name}.c${presses}`)
  }

  /** Words of a page about its modal, and of a host about its visitor. */
  function isWatched(tab: Tab): void {
    const what = dice.oneOf('told', ['open', 'track', 'track', 'report', 'consent', 'call', 'call'] as const)
    if (what === 'open') {
      press(tab, 'listing.open', {})
      press(tab, 'project.open', {})
    } else if (what === 'call') press(tab, 'service.ask', { ask: someAsk(dice) })
    else if (what === 'report') press(tab, 'analytics.report', { errorMessage: 'a part is missing' })
    else if (what === 'consent') press(tab, 'analytics.consent', { given: dice.chance('agrees', 0.7) })
    else press(tab, 'analytics.track', { event: dice.oneOf('event', ['INITIALIZE', 'MODAL_OPEN', 'MODAL_CLOSE']) })
  }

  function connect(tab: Tab, how: 'installed' | 'code'): void {
    if (how === 'installed') press(tab, 'connection.connectInstalled', { walletKey: 'k1', wallet: lantern })
    else {
      const proposal = dice.chance('asks for more than Solana', 0.3)
        ? { proposal: dice.oneOf('how much', [wide, wide, demanding]) }
        : {}
      press(tab, 'connection.connectWalletConnect', { wallet: walletConnect, ...proposal })
    }
  }

  function buy(tab: Tab, model: CoreModel, units?: string): void {
    const { reading, terms: read } = model.sale
    if (!reading || read.phase !== 'read') return
    const asset = units === undefined ? dice.oneOf('asset', ['SOL', 'USDC'] as const) : 'SOL'
    const place = () => {
      const paid = units ?? dice.oneOf(`units of ${asset}`, amounts[asset])
      // The page makes one key per press: two presses with one key would be one order to the chain
      const orderKey = (presses + 1).toString(16).padStart(16, '0')
      const order = { ...orderOf({ model, at: world.now() }, asset, paid), orderKey, termsHash: read.termsHash }
      const forgets = units === undefined && dice.chance('forgets to tick', 0.05)
      press(tab, 'order.place', forgets ? { ...order, acknowledged: ['terms'] } : order)
    }
    place()
    if (units === undefined && dice.chance('presses twice', 0.2)) place()
    if (dice.strikes('storage.failsMeanwhile'))
      world.queue.after(dice.between('until it fails', 0, 3), 'worker', world.ruinDisk)
  }

  /** Opens a code for a purchase without a wallet, sometimes without a tick. */
  function payByCode(tab: Tab, model: CoreModel): void {
    const { reading, terms: read } = model.sale
    if (!reading || read.phase !== 'read') return
    const orderKey = (presses + 1).toString(16).padStart(16, '0')
    const order = { ...orderOf({ model, at: world.now() }, 'SOL', '400000000'), orderKey, termsHash: read.termsHash }
    press(tab, 'invoice.open', dice.chance('ticks nothing', 0.1) ? { ...order, acknowledged: [] } : order)
  }

  /** Sends some of the account's tokens: asks for it, mostly well, and sometimes twice. */
  function send(tab: Tab): void {
    if (dice.chance('opens the list of tokens', 0.8)) press(tab, 'send.open', {})
    const asking = () =>
      press(tab, 'send.request', {
        orderKey: (presses + 1).toString(16).padStart(16, '0'),
        asset: dice.oneOf('sends', ['SOL', mint, newMint]),
        amount: dice.chance('mistypes', 0.15)
          ? dice.oneOf('typed', ['1e9', '0'])
          : dice.oneOf('amount sent', ['1.5', '2']),
        recipient: dice.chance('sends to itself', 0.1) ? account : other,
        confirmed: [],
      })
    asking()
    if (dice.chance('asks for it twice', 0.2)) asking()
  }

  /** Signs in to the host's page, or gives an earlier code of that kind to the wallet. */
  function signIn(tab: Tab, model: CoreModel): void {
    const waiting = Object.values(model.auth).find(one => one.phase === 'delivered')
    if (waiting && dice.chance('leaves the sign-in', 0.2)) return press(tab, 'auth.abandon', { authId: waiting.authId })
    if (waiting && !waiting.byLink && world.relay.readFrom(waiting.sent.pairingTopic)) return
    const asked = { domain: 'mai.example', uri: 'https://mai.example', nonce: `nonce-${presses}` }
    const chains = dice.chance('forgets the chain', 0.1)
      ? []
      : dice.chance('on two chains', 0.3)
        ? ['eip155:1', 'eip155:10']
        : ['eip155:1']
    const methods = dice.chance('signs in only', 0.3) ? [] : ['personal_sign']
    const walletLink = world.takesLinks() && dice.chance('by its link', 0.7) ? { walletLink: theirs } : {}
    press(tab, 'auth.request', { chains, ...asked, methods, ...walletLink })
  }

  /** Actions of a connected person. */
  function act(tab: Tab, model: CoreModel): void {
    const order = openOrder(model)
    const { made, active } = model.connection
    const { offer } = model.network
    if (offer && dice.chance('chooses a network', 0.08))
      press(tab, 'network.switch', { caip2: dice.oneOf('network', [...offer.networks, 'solana:unknown']) })
    // A button of a card that has changed meanwhile
    if (order && dice.chance('presses what was there', 0.05)) press(tab, 'order.abandon', { orderId: order.orderId })
    if (order && isBeforeWallet(order)) {
      const { orderId, phase } = order
      const go = () => press(tab, 'order.continue', { orderId })
      if (phase === 'pressAwaited' && !pondered.has(orderId)) {
        pondered.add(orderId)
        if (dice.chance('thinks it over', 0.4)) {
          thinksUntil = world.queue.now() + dice.between('thinks', 15_000, 55_000)
          world.queue.after(thinksUntil - world.queue.now(), 'outside', go)
        }
      }
      if (world.queue.now() < thinksUntil) return
      if (phase === 'pressAwaited' && dice.chance('continues', 0.8)) go()
      else if (dice.chance('gives up', 0.15)) press(tab, 'order.abandon', { orderId: order.orderId })
      return
    }
    const done = Object.values(model.order).find(
      one => !one.dismissed && (isDead(one) || isMismatched(one) || isPaid(one)),
    )
    if (dice.chance('is watched', 0.05)) isWatched(tab)
    if (dice.chance('verifies the sale', 0.03))
      press(tab, 'ledger.verify', {
        act: dice.oneOf('verifies by', ['start', 'start', 'start', 'pause', 'resume', 'stop']),
      })
    if (dice.chance('reads the newest payments', 0.03)) press(tab, 'sale.readFeed', {})
    if (dice.chance('asks for itself', 0.12)) return ask(tab, model)
    if (dice.chance('minds a wallet', 0.08)) return mind(tab, model)
    const changes = changesSincePin(model.sale)
    if (changes.length > 0 && dice.chance('reads what changed', 0.15)) return confirm(tab, model)
    const whim = dice.between('whim', 0, 99)
    if (whim < 6 && active !== null) press(tab, 'connection.disconnect', { connectionId: active })
    else if (whim < 12) connect(tab, dice.oneOf('another', ['installed', 'code'] as const))
    else if (whim < 14) press(tab, 'balance.refresh', {})
    else if (whim < 18) press(tab, 'sale.refresh', {})
    else if (whim < 19) confirm(tab, model)
    else if (whim < 24) press(tab, 'listing.read', { page: 1, search: dice.oneOf('search', ['', 'lan', 'q']) })
    else if (whim < 34 && done) press(tab, 'order.dismiss', { orderId: done.orderId })
    else if (active !== null && made[active]?.phase === 'live' && whim < 85) {
      if (dice.chance('sends instead', 0.3)) send(tab)
      else buy(tab, model)
    }
  }

  /** Accepts the sale's current terms. */
  function confirm(tab: Tab, { sale }: CoreModel): void {
    if (sale.terms.phase === 'read') press(tab, 'sale.confirmChange', { termsHash: sale.terms.termsHash })
  }

  /** Requests of the page to a session's wallet through its provider, mostly permitted ones. */
  function ask(tab: Tab, model: CoreModel, of?: string): void {
    const topics = Object.keys(model.session)
    const gone = Object.keys(model.deleted.newest)
      .find(key => key.startsWith('session:'))
      ?.slice('session:'.length)
    const sessionTopic =
      of ??
      (dice.chance('a session that is gone', 0.1)
        ? (gone ?? 'session-of-nobody')
        : topics.length > 0
          ? dice.oneOf('asks in', topics)
          : '')
    const isElsewhere = Object.keys(model.session[sessionTopic]?.namespaces ?? {}).join() === 'eip155'
    const onSolana = dice.chance('asks for money', 0.4) ? moneyMethod : pageMethod
    const [usualChain, usualMethod] = isElsewhere ? ['eip155:1', 'personal_sign'] : [caip2, onSolana]
    const request = {
      sessionTopic,
      chainId: dice.chance('another chain', 0.1) ? dice.oneOf('asks on', ['solana', 'eip155:1', '']) : usualChain,
      method: dice.chance('another method', 0.1) ? dice.oneOf('asks for', ['eth_sign', '']) : usualMethod,
      params: dice.oneOf('asks with', ['{}', '[]', '"text"', 'null']),
    }
    const seconds = dice.oneOf('waits for', [undefined, undefined, 300, 600, 299])
    press(tab, 'request.send', seconds === undefined ? request : { ...request, expirySeconds: seconds })
    if (dice.chance('asks again', 0.3)) press(tab, 'request.send', request)
  }

  /** Actions of a person with several wallets, and of a page that maintains its sessions. */
  function mind(tab: Tab, model: CoreModel): void {
    const several = Object.values(model.session).find(({ namespaces }) => Object.keys(namespaces).length > 1)
    if (several && dice.chance('leaves one of several', 0.5))
      return press(tab, 'session.disconnect', { sessionTopic: several.sessionTopic, namespace: 'eip155' })
    const topics = [...Object.keys(model.session), 'session-of-nobody']
    const sessionTopic = dice.oneOf('minds', topics)
    const chainId = dice.chance('tells on another chain', 0.2) ? 'eip155:5' : caip2
    switch (
      dice.oneOf('minds how', [
        'ping',
        'extend',
        'emit',
        'leave',
        'end',
        'switch',
        'chain',
        'chain',
        'retry',
        'forget',
        'account',
      ] as const)
    ) {
      case 'chain':
        return press(tab, 'session.setChain', {
          sessionTopic: topics[0] ?? sessionTopic,
          chainId: dice.oneOf('sets', [caip2, 'eip155:5', 'near']),
        })
      case 'retry': {
        const missing = Object.values(model.connection.made).find(({ phase }) => phase === 'missing')
        return press(tab, 'connection.retry', {
          connectionId: missing?.connectionId ?? model.connection.active ?? 'nobody',
        })
      }
      case 'forget':
        return press(tab, 'connection.forget', {
          connectionId: model.connection.ended?.[0]?.connectionId ?? 'nobody',
        })
      case 'account': {
        const { active, made } = model.connection
        const [connectionId, accounts] = active === null ? ['nobody', []] : [active, made[active]?.accounts ?? []]
        return press(tab, 'connection.chooseAccount', { connectionId, account: accounts.at(-1) ?? other })
      }
      case 'emit':
        return press(tab, 'session.emit', { sessionTopic, event: 'accountsChanged', chainId, data: '[]' })
      case 'leave':
        return press(tab, 'session.disconnect', {
          sessionTopic,
          namespace: dice.oneOf('leaves', ['solana', 'eip155', 'cosmos']),
        })
      case 'end':
        return press(tab, 'session.disconnect', { sessionTopic })
      case 'switch': {
        const [connectionId] = Object.keys(model.connection.made).filter(one => one !== model.connection.active)
        return press(tab, 'connection.activate', { connectionId: connectionId ?? 'nobody' })
      }
      case 'ping':
        return press(tab, 'session.ping', { sessionTopic })
      case 'extend':
        return press(tab, 'session.extend', { sessionTopic })
    }
  }

  /** Actions of a person without a wallet. */
  function begin(tab: Tab, model: CoreModel): void {
    const { attempt } = model.connection
    const { shown } = model.pairing
    if (attempt.phase === 'asking') {
      if (shown !== null && dice.chance('opens the wallet here', 0.2))
        press(tab, 'link.choose', { pairingTopic: shown, link: 'lantern://' })
      if (dice.chance('chooses a wallet', 0.1))
        press(tab, 'connection.connectWalletConnect', { wallet: lantern, share: true })
      if (dice.chance('asks who scanned', 0.1))
        press(tab, 'pairing.ping', { pairingTopic: shown ?? 'pairing-of-nobody' })
      if (shown !== null && dice.chance('scans', 0.85)) world.relay.readFrom(shown)
      else if (dice.chance('abandons', 0.15)) press(tab, 'connection.abandon', {})
      return
    }
    if (dice.chance('is watched at first', 0.2)) isWatched(tab)
    const code = model.invoice?.shown
    if (code === undefined && dice.chance('pays by code', 0.15)) payByCode(tab, model)
    if (code !== undefined && dice.chance('looks for its payment', 0.1)) press(tab, 'invoice.look', { invoiceId: code })
    if (code !== undefined && dice.chance('puts the code away', 0.3)) press(tab, 'invoice.close', { invoiceId: code })
    const whim = dice.between('search first', 0, 9)
    if (whim === 0) {
      // The next page, or one out of turn
      const page = model.listing.all.pages + dice.oneOf('page', [1, 1, 1, 0, 2])
      press(tab, 'listing.read', { page: Math.max(1, page), search: '' })
    } else if (whim === 1) {
      const search = dice.oneOf('search', ['lan', 'q'])
      if (search === 'q') press(tab, 'connection.recall', { wallet: { walletId: 'Quill', name: 'Quill' } })
      press(tab, 'listing.read', { page: 1, search })
    } else connect(tab, dice.oneOf('way', ['installed', 'code'] as const))
  }

  /** Events of the device and its tabs. */
  function weather(): void {
    const tabs = [...world.browser.tabs.values()]
    const tab = dice.oneOf('tab', tabs)
    if (dice.strikes('device.dies')) world.die('start', { power: true })
    else if (dice.strikes('worker.vanishes')) world.die('lost')
    else if (dice.strikes('tab.closes')) world.closeTab(tab.name)
    else if (dice.strikes('tab.reloads')) world.reloadTab(tab.name)
    else if (tabs.length < 3 && dice.chance('another tab', 0.05)) world.openTab()
    if (dice.strikes('tab.freezes')) world.freeze(dice.between('frozen', 1000, 300_000))
    if (dice.strikes('tab.hides')) {
      world.show(tab, false)
      world.queue.after(dice.between('hidden', 5000, 900_000), 'outside', () => world.show(tab, true))
    }
    if (dice.strikes('tab.flickers')) {
      world.relay.goDown(40_000)
      for (let at = 1; at < 36; at++) world.queue.after(at * 1000, 'outside', () => world.show(tab, at % 2 === 1))
    }
    if (dice.strikes('relay.isDown')) world.relay.goDown(dice.between('down', 1000, 60_000))
    if (dice.strikes('device.offline')) {
      world.setOnline(false)
      world.queue.after(dice.between('offline', 1000, 120_000), 'outside', () => world.setOnline(true))
    }
    if (dice.strikes('clock.jumps')) {
      world.jump(dice.oneOf('jump', [-3_600_000, -5000, 7000, 90_000, 3_600_000]))
      const code = world.model()?.invoice?.shown
      // The hour of a code may be over
      if (code !== undefined) press(tab, 'invoice.look', { invoiceId: code })
    }
    if (dice.strikes('wallet.changesAccount')) world.browser.change(false)
    if (dice.strikes('wallet.disconnects')) world.browser.change(true)
  }

  return {
    /** Takes the next action. */
    step(): void {
      weather()
      const model = world.model()
      const tabs = [...world.browser.tabs.values()].filter(one => one.visible && world.isJoined(one))
      for (const out of world.staysOut()) if (dice.chance('asks for the lead', 0.1)) world.takeOver(out)
      const tab = tabs.length > 0 ? dice.oneOf('looks at', tabs) : undefined
      if (!model || !tab) return
      const linked = Object.values(model.session).filter(({ transport }) => transport === 'link')
      if (linked.length > 0 && dice.chance('asks by a link', 0.3)) ask(tab, model, linked.at(-1)?.sessionTopic)
      // A host does not know that nothing is stored
      const newest = Object.keys(model.session).at(-1)
      if (model.core.storage === 'memory' && newest !== undefined && dice.chance('asks without storage', 0.5))
        ask(tab, model, newest)
      if (linked.length > 0 && dice.chance('presses to open the wallet', 0.1)) press(tab, 'link.retry', {})
      if (dice.chance('signs in', 0.06)) signIn(tab, model)
      if (model.connection.active === null || model.connection.attempt.phase === 'asking') begin(tab, model)
      else act(tab, model)
    },
    press,
    buy,
    confirm,
  }
}
export type Person = ReturnType<typeof createPerson>

/** The order the page would place now. */
export function orderOf(
  world: { model: CoreModel; at: number },
  asset: string,
  units: string,
): ReturnType<typeof intent> {
  return intent(world as never, { asset, units, ...quoted(world, asset, units) })
}

function quoted({ model, at }: { model: CoreModel; at: number }, asset: string, units: string) {
  const sale = saleNow(model, at) ?? { pos: '0', time: at }
  const { tokens, min } = quotePaying(terms, sale, asset, units)
  return { quoted: tokens, min }
}
