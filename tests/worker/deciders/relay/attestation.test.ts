import { describe, expect, test } from 'vitest'
import { placed, readSaleIn, walletConnect } from '../../story.ts'
import { message, open, publicKey, sealAll, settled, takeAll } from '../../wcStory.ts'
import { createWorld, failing, tab, type World } from '../../world.ts'

/** A shown code with its sealed proposal, over an open relay. */
function proposed(world = fresh(), pairingTopic = 'pairing-1'): World {
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  if (world.ordered('relay.open').some(effect => !effect.answered)) open(world)
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
  sealAll(world)
  return world
}

function fresh(attests = true): World {
  const world = createWorld(attests ? { attests: true } : {})
  world.boot()
  world.attach()
  return world
}

/** The visit after the one that connected a wallet. */
function reopened(): World {
  const world = settled()
  world.kill()
  world.boot({ attests: true })
  world.attach()
  open(world)
  readSaleIn(world)
  return world
}

/** A wallet holds a request to sign for an order. */
function asked(): World {
  const world = reopened()
  placed(world)
  sealAll(world)
  return world
}

const proposals = (world: World) => world.ordered('relay.propose').length
const requests = (world: World) => world.ordered('relay.publish').filter(({ data }) => data.tag === 1108).length
const questions = (world: World) => world.ordered('attest.get').length
const given = (world: World, isGiven = true) => world.answer('attest.get', 'attest.got', { isGiven })

describe('a message that needs an attestation', () => {
  test('goes out once the page’s frame has it, while its code is on the screen already', () => {
    const world = proposed()
    expect(world.ordered('attest.get')).toMatchObject([{ tab }])
    expect([world.model.pairing.shown, proposals(world)]).toEqual(['pairing-1', 0])
    given(world)
    expect(proposals(world)).toBe(1)
    expect(world.timers().has(`attest:${world.last('relay.propose').data.callId}`)).toBe(false)
  })

  test('goes out at once when the service has none for it', () => {
    const world = proposed()
    given(world, false)
    expect(proposals(world)).toBe(1)
  })

  test('goes out without one after five seconds, and only once when it comes late', () => {
    const world = proposed()
    world.pass(4999)
    expect(proposals(world)).toBe(0)
    world.pass(1)
    expect(proposals(world)).toBe(1)
    given(world)
    expect(proposals(world)).toBe(1)
  })

  test('waits two seconds at most after a press', () => {
    const world = asked()
    expect(questions(world)).toBe(1)
    world.pass(1999)
    expect(requests(world)).toBe(0)
    world.pass(1)
    expect(requests(world)).toBe(1)
  })

  test('has one attestation, however often it goes out', () => {
    const world = proposed()
    given(world)
    world.pass(16_000)
    expect(proposals(world)).toBeGreaterThan(1)
    expect(questions(world)).toBe(1)
  })

  test('has one attestation, also on another way', () => {
    const world = proposed()
    given(world)
    const { callId } = world.last('relay.propose').data
    world.input('relay.failed', { callId, error: { code: -32_601, message: 'Unsupported method.' } })
    expect(world.ordered('relay.publish').map(({ data }) => data.tag)).toEqual([1100])
    expect(questions(world)).toBe(1)
  })

  test('goes out at once without a service', () => {
    const world = proposed(fresh(false))
    expect([questions(world), proposals(world)]).toEqual([0, 1])
  })

  test('goes out at once when no page can be asked', () => {
    const unseen = fresh()
    unseen.input('page.visible', { visible: false }, { tab })
    proposed(unseen)
    expect([questions(unseen), proposals(unseen)]).toEqual([0, 1])
    const gone = proposed()
    gone.answer('attest.get', 'wallet.failed', failing('wallet_gone'))
    expect(proposals(gone)).toBe(1)
    const broken = proposed()
    broken.fail('attest.get', 'reload_needed')
    expect(proposals(broken)).toBe(1)
  })

  test('is dropped when the device slept until its expiry', () => {
    const world = asked()
    world.jump(901_000)
    given(world)
    expect(requests(world)).toBe(0)
    expect(world.model.outbox).toEqual({})
  })

  test('is dropped when it is a code’s that no wallet could answer any more', () => {
    const world = proposed()
    const [waiting] = Object.keys(world.model.outbox)
    world.jump(301_000)
    expect(given(world).types).toContain('outbox.dropped')
    expect(proposals(world)).toBe(0)
    expect(waiting).toBeDefined()
    expect(Object.keys(world.model.outbox)).not.toContain(waiting)
  })

  test('is dropped when its session ended during the wait', () => {
    const world = asked()
    const waits = () => [...world.timers().keys()].filter(timer => timer.startsWith('attest:')).length
    expect(waits()).toBe(1)
    message(world, 'session-1', { kind: 'delete', id: '1798999000000009' })
    expect(waits()).toBe(0)
    given(world)
    expect(requests(world)).toBe(0)
  })
})

describe('when the person leaves the page for the wallet', () => {
  test.each([
    ['hidden', (world: World) => void world.input('page.visible', { visible: false }, { tab })],
    ['closed', (world: World) => void world.input('page.left', {}, { tab })],
  ])('a waiting message goes out before a %s page is frozen', (_how, leave) => {
    const world = proposed()
    leave(world)
    expect(proposals(world)).toBe(1)
    // The page left within the service's time, so this is no timeout of the service
    world.attach()
    world.input('page.visible', { visible: true }, { tab })
    proposed(world, 'pairing-2')
    expect(questions(world)).toBe(2)
  })

  test('a waiting message stays while another tab is visible', () => {
    const world = fresh()
    world.attach({}, 't-2')
    proposed(world)
    world.input('page.visible', { visible: false }, { tab })
    expect(proposals(world)).toBe(0)
  })
})

describe('a silent verify service', () => {
  test('costs one wait: later messages go out at once, for ten minutes', () => {
    const world = proposed()
    world.pass(5000)
    proposed(world, 'pairing-2')
    expect([questions(world), proposals(world)]).toEqual([1, 2])
    takeAll(world)
    world.pass(600_000)
    const before = proposals(world)
    proposed(world, 'pairing-9')
    expect([questions(world), proposals(world)]).toEqual([2, before])
  })

  test('never delays a purchase after a proposal has waited for it', () => {
    const world = proposed(reopened(), 'pairing-2')
    world.pass(5000)
    placed(world)
    sealAll(world)
    expect([questions(world), requests(world)]).toEqual([1, 1])
  })

  test('delays one purchase of a visit, by two seconds', () => {
    const world = asked()
    world.pass(2000)
    proposed(world, 'pairing-2')
    expect([questions(world), proposals(world)]).toEqual([1, 1])
  })

  test('is awaited again by the next visit', () => {
    const world = proposed()
    world.pass(5000)
    world.kill()
    world.attach()
    proposed(world, 'pairing-2')
    expect(questions(world)).toBeGreaterThan(0)
  })
})
