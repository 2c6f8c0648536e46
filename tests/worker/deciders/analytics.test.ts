import { describe, expect, test } from 'vitest'
import type { WaitingEvent } from '../../../src/events/subjects/service/analytics.ts'
import type { BootData } from '../../../src/worker/core/context.ts'
import { other, theOrder, watched as statusSeen } from '../story.ts'
import { pulseEventOf } from '../../../src/worker/services/pulse.ts'
import { createWorld, failing, noon, tab, type World } from '../world.ts'
import { mint, pressed, readyToSend, sentOff, shown, signedSend } from './order/sendStory.ts'

type Terms = NonNullable<BootData['analytics']>
const all: Terms = { consent: 'given', tracks: true, reports: true }

/** A core for a host with analytics, and a page that is looked at. */
function watched(analytics: Terms | 'none' = all, changes: Partial<BootData> = {}): World {
  const world = createWorld({ ...(analytics !== 'none' && { analytics }), ...changes })
  world.boot()
  world.attach()
  return world
}

const track = (world: World, event: 'INITIALIZE' | 'MODAL_OPEN' | 'MODAL_CLOSE' = 'MODAL_OPEN') =>
  world.command('analytics.track', { event, ...(event === 'INITIALIZE' ? {} : { connected: false }) })

const waiting = ({ model }: World) => (model.analytics?.waiting ?? []).map(({ event }) => event)
const batches = (world: World) => world.ordered('pulse.send').map(({ data }) => data.events.map(({ event }) => event))

/** Lets the events go; the project has analytics on. */
function sendFirst(world: World): void {
  world.fire('analytics:send')
  world.answer('pulse.readSwitch', 'pulse.switched', { isOn: true })
  world.fire('analytics:send')
}

describe('consent to analytics', () => {
  test('asked for later: INITIALIZE waits, all else is dropped, nothing leaves, not even the question for the switch', () => {
    const world = watched({ ...all, consent: 'later' })
    track(world, 'INITIALIZE')
    track(world)
    world.command('analytics.report', { errorMessage: 'a part is missing' })
    world.pass(3_600_000)
    expect(waiting(world)).toEqual(['INITIALIZE'])
    expect([...world.ordered('pulse.send'), ...world.ordered('pulse.readSwitch')]).toEqual([])

    world.command('analytics.consent', { given: true })
    sendFirst(world)
    expect(batches(world)).toEqual([['INITIALIZE']])
  })

  test('refused drops what waits, for this and later lives', () => {
    const world = watched({ ...all, consent: 'later' })
    track(world, 'INITIALIZE')
    world.command('analytics.consent', { given: false })
    world.kill('start')
    world.attach()
    track(world, 'INITIALIZE')
    track(world)
    world.pass(3_600_000)
    expect(world.model.analytics).toMatchObject({ consent: 'refused', waiting: [] })
    expect(world.ordered('pulse.send')).toEqual([])
  })

  test('given once is remembered by the device', () => {
    const world = watched({ ...all, consent: 'later' })
    world.command('analytics.consent', { given: true })
    world.kill('start')
    world.attach()
    expect(track(world).types).toEqual(['analytics.queued'])
    expect(world.command('analytics.consent', { given: true }).types).toEqual([])
  })
})

describe('the switch of the project', () => {
  test('is read once in a life, before the first event', () => {
    const world = watched()
    track(world)
    sendFirst(world)
    world.answer('pulse.send', 'pulse.sent', { count: 1 })
    track(world, 'MODAL_CLOSE')
    world.fire('analytics:send')
    expect(batches(world)).toEqual([['MODAL_OPEN'], ['MODAL_CLOSE']])
    expect(world.ordered('pulse.readSwitch')).toHaveLength(1)
  })

  test.each(['off', 'failed'] as const)('%s: events are dropped but INITIALIZE, reports go on', how => {
    const world = watched()
    track(world, 'INITIALIZE')
    track(world)
    world.command('analytics.report', { errorMessage: 'a part is missing' })
    world.fire('analytics:send')
    if (how === 'off') world.answer('pulse.readSwitch', 'pulse.switched', { isOn: false })
    else world.fail('pulse.readSwitch', 'unreachable')
    expect(track(world).types).toEqual([])
    world.fire('analytics:send')
    expect(batches(world)).toEqual([['INITIALIZE', 'INTERNAL_SDK_ERROR']])
  })

  test('is not asked for a host that wants no events: INITIALIZE leaves, and reports if the host wants them', () => {
    const world = watched({ consent: 'given', reports: true })
    track(world, 'INITIALIZE')
    track(world)
    world.fire('analytics:send')
    expect(batches(world)).toEqual([['INITIALIZE']])
    expect(world.ordered('pulse.readSwitch')).toEqual([])
    const without = watched({ consent: 'given' })
    without.command('analytics.report', { errorMessage: 'a part is missing' })
    expect(waiting(without)).toEqual([])
  })
})

describe('events that wait', () => {
  test('are at most 100; the oldest are dropped and counted', () => {
    const world = watched(all, { online: false })
    track(world, 'INITIALIZE')
    for (let count = 0; count < 105; count += 1) track(world)
    expect(waiting(world)).toHaveLength(100)
    expect(world.model.analytics?.dropped).toBe(6)
    expect(waiting(world)).not.toContain('INITIALIZE')
  })

  test('go in batches of 20, one after the other, once the device is online', () => {
    const world = watched(all, { online: false })
    for (let count = 0; count < 45; count += 1) track(world)
    world.pass(60_000)
    expect(world.ordered('pulse.readSwitch')).toEqual([])
    world.input('page.online', { online: true }, { tab })
    sendFirst(world)
    world.pass(60_000)
    expect(batches(world).map(batch => batch.length)).toEqual([20])
    world.command('analytics.report', { errorMessage: 'meanwhile' })
    world.pass(1000)
    expect(world.ordered('pulse.send')).toHaveLength(1)
    for (const count of [20, 20, 6]) {
      world.answer('pulse.send', 'pulse.sent', { count })
      world.pass(1000)
    }
    expect(batches(world).map(batch => batch.length)).toEqual([20, 20, 6])
    expect(waiting(world)).toEqual([])
  })

  test('stay while nobody looks, and go when the page is looked at again', () => {
    const world = watched()
    track(world)
    world.input('page.visible', { visible: false }, { tab })
    world.pass(60_000)
    expect(world.ordered('pulse.readSwitch')).toEqual([])
    world.input('page.visible', { visible: true }, { tab })
    sendFirst(world)
    expect(batches(world)).toHaveLength(1)
  })

  test('go in one request as the page is hidden, when the project has analytics on', () => {
    const world = watched()
    track(world)
    const hide = () => world.input('page.visible', { visible: false }, { tab })
    expect(hide().effects).toEqual([])
    world.input('page.visible', { visible: true }, { tab })
    sendFirst(world)
    expect(hide().effects).toEqual([])
    world.answer('pulse.send', 'pulse.sent', { count: 1 })
    for (let count = 0; count < 30; count += 1) track(world)
    expect(hide().effects.map(({ data }) => data)).toMatchObject([{ atOnce: true, events: Array(30).fill({}) }])
    world.answer('pulse.send', 'pulse.sent', { count: 28 })
    expect(waiting(world)).toHaveLength(2)
  })

  test('go at the answer, if the page was hidden while others were on their way', () => {
    const world = watched()
    track(world)
    sendFirst(world)
    track(world, 'MODAL_CLOSE')
    world.input('page.visible', { visible: false }, { tab })
    const { effects } = world.answer('pulse.send', 'pulse.sent', { count: 1 })
    expect(effects.map(({ data }) => data)).toMatchObject([{ atOnce: true, events: [{ event: 'MODAL_CLOSE' }] }])
  })

  test('once sent leave an idle page with nothing to send', () => {
    const world = watched()
    track(world)
    sendFirst(world)
    const before = world.answer('pulse.send', 'pulse.sent', { count: 1 })
    expect(before.effects).toEqual([])
    expect(world.timers().has('analytics:send')).toBe(false)
  })

  test('outlive their core, with their ids', () => {
    const world = watched()
    track(world)
    sendFirst(world)
    const [first] = world.last('pulse.send').data.events
    expect(first?.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    world.kill('lost')
    world.attach()
    sendFirst(world)
    expect(world.last('pulse.send').data.events).toEqual([first])
    expect(first?.at).toBe(noon)
  })
})

describe('a batch that fails', () => {
  const fail = (world: World, failure: Parameters<typeof failing>[0], facts: Record<string, string | number> = {}) =>
    world.answer('pulse.send', 'effect.failed', { failure: { ...failing(failure).failure, facts } })

  test('out of reach rests for a minute, then two, and is sent again without those that arrived', () => {
    const world = watched()
    for (let count = 0; count < 3; count += 1) track(world)
    sendFirst(world)
    fail(world, 'unreachable', { sent: 1 })
    track(world, 'MODAL_CLOSE')
    world.pass(59_000)
    expect(world.ordered('pulse.send')).toHaveLength(1)
    world.pass(2000)
    expect(batches(world)).toEqual([
      ['MODAL_OPEN', 'MODAL_OPEN', 'MODAL_OPEN'],
      ['MODAL_OPEN', 'MODAL_OPEN', 'MODAL_CLOSE'],
    ])
    fail(world, 'unreachable', { sent: 0 })
    world.pass(119_000)
    expect(world.ordered('pulse.send')).toHaveLength(2)
    world.pass(2000)
    expect(world.ordered('pulse.send')).toHaveLength(3)
  })

  test.each([
    [300_000, 300_000],
    [1000, 60_000],
    [1e12, 86_400_000],
  ])('whose service asks for %i ms rests for %i, a day at most', (retryAfterMs, restsMs) => {
    const world = watched()
    track(world)
    sendFirst(world)
    fail(world, 'rate_limited', { sent: 0, retryAfterMs })
    world.pass(restsMs - 1)
    expect(world.ordered('pulse.send')).toHaveLength(1)
    world.pass(1000)
    expect(world.ordered('pulse.send')).toHaveLength(2)
  })

  test('is sent again at once when the network comes back', () => {
    const world = watched()
    track(world)
    sendFirst(world)
    fail(world, 'offline', { sent: 0 })
    world.input('page.online', { online: false }, { tab })
    world.input('page.online', { online: true }, { tab })
    world.pass(1000)
    expect(world.ordered('pulse.send')).toHaveLength(2)
  })

  test('loses the event that the service cannot take', () => {
    const world = watched()
    track(world)
    track(world, 'MODAL_CLOSE')
    sendFirst(world)
    fail(world, 'bad_response', { sent: 0, status: 400 })
    expect(waiting(world)).toEqual(['MODAL_CLOSE'])
  })

  test('for the page’s origin tells it once for each way from success to refusal, and drops the batch', () => {
    const world = watched()
    const refusals = () => world.said('analytics.failed').map(({ refused }) => refused)
    track(world)
    sendFirst(world)
    fail(world, 'unauthorized', { sent: 0, status: 403 })
    expect(world.model.analytics).toMatchObject({ refused: true, waiting: [] })
    track(world)
    world.pass(120_000)
    fail(world, 'unauthorized', { sent: 0, status: 403 })
    track(world)
    world.pass(240_000)
    world.answer('pulse.send', 'pulse.sent', { count: 1 })
    expect(world.model.analytics?.refused).toBeUndefined()
    track(world)
    world.pass(120_000)
    fail(world, 'unreachable', { sent: 0, status: 503 })
    expect(refusals()).toEqual([true, undefined, undefined])
  })
})

describe('what the core tells', () => {
  const wallet = { walletId: 'quill', name: 'Quill' }
  const last = ({ model }: World) => {
    const said: Partial<WaitingEvent> = { ...model.analytics?.waiting.at(-1) }
    delete said.eventId
    delete said.at
    return said
  }

  test('a connection that is made, and its end by the visitor', () => {
    const world = watched()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet })
    const account = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri'
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features: [] })
    expect(last(world)).toEqual({ event: 'CONNECT_SUCCESS', name: 'Quill', method: 'browser' })
    const [connectionId = ''] = Object.keys(world.model.connection.made)
    world.command('connection.disconnect', { connectionId })
    expect(last(world)).toEqual({ event: 'DISCONNECT_SUCCESS', namespace: 'solana' })
    expect(JSON.stringify(world.model.analytics)).not.toContain(account)
  })

  test('a connection that fails', () => {
    const world = watched()
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet })
    world.answer('wallet.connect', 'wallet.failed', { failure: { code: 'user_rejected', message: 'declined' } })
    expect(last(world)).toEqual({ event: 'CONNECT_ERROR', message: 'declined' })
  })

  test.each([
    ['bad_response', undefined, 'DATA_PARSING_ERROR'],
    ['unreachable', 503, 'API_ERROR'],
    ['offline', undefined, undefined],
  ] as const)('a directory that fails as %s with the status %s, as %s', (code, status, event) => {
    const world = watched()
    world.command('listing.read', { page: 1, search: '' })
    const failure = { code, message: 'the wallet directory failed', ...(status && { facts: { status } }) }
    world.answer('directory.read', 'directory.failed', { page: 1, search: '', failure })
    const report = { event, errorType: 'AppKitError', errorMessage: 'the wallet directory failed' }
    expect(last(world)).toEqual(event ? report : {})
  })

  test('a transfer once the wallet is asked, and how it ended; never its mint or a recipient', () => {
    const world = readyToSend(['signTransaction'], { analytics: all })
    const sends = () => (world.model.analytics?.waiting ?? []).filter(({ event }) => event.startsWith('SEND_'))
    shown(world)
    expect(sends()).toEqual([])
    world.command('order.continue', { orderId: theOrder(world).orderId })
    const { network } = world.model
    const sol = {
      isSmartAccount: false,
      network: network.phase === 'identified' ? network.caip2 : '',
      token: 'SOL',
    }
    expect(sends()).toMatchObject([{ event: 'SEND_INITIATED', ...sol }])
    const failure = { code: 'user_rejected', message: 'declined' } as const
    world.answer('wallet.signTransaction', 'wallet.failed', { failure })
    expect(sends().slice(1)).toMatchObject([{ event: 'SEND_ERROR', ...sol, message: 'declined' }])

    sentOff(world, { orderKey: '11ff00ff00ff00ff', asset: mint, amount: '20' })
    statusSeen(world, { status: 'confirmed', slot: 2004 })
    const spl = { ...sol, token: 'SPL' }
    expect(sends().slice(2)).toMatchObject([
      { event: 'SEND_INITIATED', ...spl },
      { event: 'SEND_SUCCESS', ...spl },
    ])
    for (const word of [mint, other]) expect(JSON.stringify(world.model.analytics)).not.toContain(word)

    statusSeen(world, { status: 'finalized', slot: 2004 })
    pressed(world, { orderKey: '22ff00ff00ff00ff' })
    const signed = signedSend(world)
    const altered = { ...signed, decoded: { ...signed.decoded, feePayer: other } }
    world.answer('wallet.signTransaction', 'wallet.signed', altered)
    expect(theOrder(world).phase).toBe('gateRefused')
    expect(sends().slice(4)).toMatchObject([
      { event: 'SEND_INITIATED', ...sol },
      { event: 'SEND_ERROR', ...sol },
    ])
  })

  test('the next page of an account’s history, and the first of its readings that fail; never the account', () => {
    const world = watched()
    const ask = { call: 'history', address: other, chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } as const
    const none = { call: 'history' as const, data: [], dropped: 0 }
    const serve = (cursor?: string) => {
      world.wait(16_000)
      world.command('service.ask', { ask: { ...ask, ...(cursor !== undefined && { cursor }) } })
    }
    serve()
    const served = { call: 'supportedChains' as const, http: [ask.chainId], ws: [], dropped: 0 }
    world.answer('service.call', 'service.answered', { answer: served })
    world.answer('service.call', 'service.answered', { answer: { ...none, next: '2' } })
    expect(waiting(world)).toEqual([])

    serve('2')
    expect(last(world)).toEqual({ event: 'LOAD_MORE_TRANSACTIONS', isSmartAccount: false, cursor: '2' })
    world.fail('service.call', 'unreachable')
    expect(last(world)).toEqual({ event: 'ERROR_FETCH_TRANSACTIONS', isSmartAccount: false, cursor: '2' })
    serve()
    world.fail('service.call', 'unreachable')
    expect(last(world)).toEqual({ event: 'ERROR_FETCH_TRANSACTIONS', isSmartAccount: false })
    serve()
    world.fail('service.call', 'unreachable')
    expect(waiting(world)).toEqual(['LOAD_MORE_TRANSACTIONS', 'ERROR_FETCH_TRANSACTIONS', 'ERROR_FETCH_TRANSACTIONS'])
    serve()
    world.answer('service.call', 'service.answered', { answer: none })
    serve()
    world.kill('lost')
    expect(waiting(world)).toHaveLength(3)
    expect(JSON.stringify(world.model.analytics)).not.toContain(other)
  })

  test('at most five reports in any minute', () => {
    const world = watched()
    for (let count = 0; count < 8; count += 1) world.command('analytics.report', { errorMessage: `${count}` })
    expect(waiting(world)).toHaveLength(5)
    world.wait(60_000)
    world.command('analytics.report', { errorMessage: 'later' })
    expect(last(world)).toMatchObject({ errorMessage: 'later' })
  })

  test('nothing without a host’s choice', () => {
    const world = watched('none')
    track(world, 'INITIALIZE')
    world.command('analytics.consent', { given: true })
    world.command('listing.read', { page: 1, search: '' })
    world.answer('directory.read', 'directory.failed', { page: 1, search: '', ...failing('bad_response') })
    expect(world.facts.filter(({ type }) => type.startsWith('analytics.'))).toEqual([])
    expect(world.timers().has('analytics:send')).toBe(false)
  })
})

describe('the platform of a chosen wallet', () => {
  const links = {
    Torch: { webappLink: 'https://web.torch.example' },
    Desk: { desktopLink: 'desk://', mobileLink: 'javascript:alert(1)' },
    Phone: { mobileLink: 'phone://', webappLink: 'https://web.phone.example' },
    Extension: { chromeStore: 'https://store.example/extension' },
  }
  const wallets = Object.entries(links).map(([name, has]) => ({ walletId: name, name, certified: false, ...has }))
  const chosen = (name: string, platform: 'qrcode' | 'mobile' | 'browser') => {
    const world = watched()
    world.command('listing.open', {})
    world.answer('directory.read', 'directory.read', { page: 1, search: '', count: wallets.length, wallets })
    world.command('analytics.track', { event: 'SELECT_WALLET', name, platform })
    const [waiting] = world.model.analytics?.waiting ?? []
    if (!waiting) throw new Error('SELECT_WALLET expected to wait')
    const event = pulseEventOf(waiting, '', { projectId: 'p1', options: { networks: [] } })
    return event.type === 'track' && event.properties
  }

  test.each([
    ['Torch', 'qrcode', 'web'],
    ['Torch', 'mobile', 'web'],
    ['Desk', 'qrcode', 'desktop'],
    ['Desk', 'mobile', 'mobile'],
    ['Phone', 'qrcode', 'qrcode'],
    ['Phone', 'mobile', 'mobile'],
    ['Extension', 'qrcode', 'unsupported'],
    ['Torch', 'browser', 'browser'],
    ['WalletConnect', 'qrcode', 'qrcode'],
  ] as const)('%s, which the page calls %s, is told as %s', (name, platform, told) => {
    expect(chosen(name, platform)).toEqual({ name, platform: told, projectId: 'p1' })
  })
})
