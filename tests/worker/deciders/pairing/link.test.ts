import { describe, expect, test } from 'vitest'
import { placed } from '../../story.ts'
import { answered, message, sealAll, settlement, shown, takeAll } from '../../wcStory.ts'
import { tab, type World } from '../../world.ts'

const chosen = 'lantern://app'

/** A session whose wallet the person opened by its link, and a request that is being sealed. */
function asked(changes: Parameters<typeof settlement>[1] = {}, choose = true): World {
  const world = shown()
  if (choose) world.command('link.choose', { pairingTopic: 'pairing-1', link: chosen })
  answered(world)
  message(world, 'session-1', settlement(world, changes))
  sealAll(world)
  takeAll(world)
  world.answer('chain.readBalances', 'chain.balances', {
    account: world.last('chain.readBalances').data.account,
    slot: 1000,
    amounts: { SOL: '20000000000' },
  })
  placed(world)
  return world
}

const requestIds = (world: World) => Object.keys(world.model.request)

describe('a wallet reached by its link on this device', () => {
  test('is opened once its request is with the relay, in the visible page', () => {
    const world = asked()
    expect(world.ordered('link.open')).toEqual([])
    sealAll(world)
    expect(world.ordered('link.open')).toEqual([])
    takeAll(world)
    const [requestId = ''] = requestIds(world)
    expect(world.ordered('link.open')).toMatchObject([
      { after: 'written', tab, data: { link: chosen, requestId, sessionTopic: 'session-1' } },
    ])
    expect(world.answer('link.open', 'link.opened', {}).types).toEqual(['link.opened'])
    expect(world.model.link.last).toEqual({ requestId })
  })

  test('is not opened again when the relay acknowledges the request twice', () => {
    const world = asked()
    sealAll(world)
    const callId = world.last('relay.publish').data.callId
    world.input('relay.taken', { callId })
    world.input('relay.taken', { callId })
    expect(world.ordered('link.open')).toHaveLength(1)
  })

  test('is not opened again by the next life', () => {
    const world = asked()
    sealAll(world)
    takeAll(world)
    world.kill()
    world.attach()
    expect(world.ordered('link.open')).toEqual([])
  })

  test('is not opened if its session asked for that', () => {
    const world = asked({ disableDeepLink: true })
    sealAll(world)
    takeAll(world)
    expect(world.ordered('link.open')).toEqual([])
  })

  test('is not opened while no page is visible', () => {
    const world = asked()
    world.input('page.visible', { visible: false }, { tab })
    sealAll(world)
    takeAll(world)
    expect(world.ordered('link.open')).toEqual([])
  })

  test('that could not be opened gives the page the reason, to offer the link', () => {
    const world = asked()
    sealAll(world)
    takeAll(world)
    world.answer('link.open', 'link.skipped', { why: 'noPress' })
    expect(world.model.link.last).toEqual({ requestId: requestIds(world)[0], skipped: 'noPress' })
  })
})

test('link: a wallet reached by its code on another device is not opened on this one', () => {
  const world = asked({}, false)
  sealAll(world)
  takeAll(world)
  expect(world.ordered('link.open')).toEqual([])
})

test('link: a link for a missing code is not stored', () => {
  const world = shown()
  expect(world.command('link.choose', { pairingTopic: 'elsewhere', link: chosen }).types).toEqual([])
})

describe('the validation of a wallet’s origin', () => {
  test('stands with its session as advice, and decides nothing', () => {
    const world = asked({ verified: 'VALID' })
    expect(world.model.session['session-1']?.validation).toBe('VALID')
    const came = message(world, 'session-1', { kind: 'ping', id: '1799000000000009', verified: 'INVALID' })
    expect(came.types).toContain('session.verified')
    expect(world.model.session['session-1']?.validation).toBe('INVALID')
    expect(world.last('vault.seal').data.payload).toEqual({ result: true, id: '1799000000000009' })
  })

  test('stays after an unvalidated message', () => {
    const world = asked({ verified: 'INVALID' })
    const came = message(world, 'session-1', { kind: 'ping', id: '1799000000000009', verified: 'UNKNOWN' })
    expect(came.types).not.toContain('session.verified')
    expect(world.model.session['session-1']?.validation).toBe('INVALID')
  })

  test('is not repeated while it stays the same', () => {
    const world = asked({ verified: 'VALID' })
    const came = message(world, 'session-1', { kind: 'ping', id: '1799000000000009', verified: 'VALID' })
    expect(came.types).not.toContain('session.verified')
  })
})
