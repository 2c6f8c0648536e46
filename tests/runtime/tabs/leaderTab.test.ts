/** Hostile scripts on the tabs' channels, open to any script of the origin. */
import { afterEach, expect, test, vi } from 'vitest'
import { type Greeting, openChannel } from '../../../src/runtime/tabs/channel.ts'
import { createLeaderTab, type RunningCore } from '../../../src/runtime/tabs/leaderTab.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { tabRules } from '../../../src/worker/tabs/tabRules.ts'

const { own: ownName, shared: sharedName, calls: callsName } = tabRules.channels
const protocolVersion = crypto.randomUUID()
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

function channelNamed(name: string): BroadcastChannel {
  const channel = new BroadcastChannel(name)
  open.push(channel)
  return channel
}

/** @returns the next message */
const next = <T>(channel: BroadcastChannel) =>
  new Promise<T>(resolve => {
    channel.onmessage = ({ data }: MessageEvent<T>) => resolve(data)
  })

test('leader tab: a script that joins as a tab reaches named calls of pages only', async () => {
  // The script holds its lock for ever
  const locks = { request: () => new Promise(() => undefined) } as unknown as Locks
  const leader = createLeaderTab({ ...tabRules, peer: 'leader', protocolVersion, locks, returnMs: 1000 })
  open.push(leader)
  const answerText = vi.fn(async () => 'text')
  const pairingUri = vi.fn(async () => 'wc:secret')
  const pages = { relay: () => undefined }
  const running = { open: { isOver: () => false, life: 1, pages }, calls: { answerText, pairingUri } }
  leader.opened(running as unknown as RunningCore)
  const welcome = next<Greeting>(channelNamed(ownName(protocolVersion, 'script')))
  channelNamed(sharedName(protocolVersion)).postMessage({ k: 'join', from: 'script' })
  expect(await welcome).toMatchObject({ k: 'welcome', from: 'leader', life: 1 })

  const calls = channelNamed(callsName({ protocolVersion, leader: 'leader', follower: 'script' }))
  let ids = 0
  async function dispatch(message: object): Promise<unknown> {
    ids += 1
    const answer = next(calls)
    calls.postMessage({ id: String(ids), argumentList: [{ type: 'RAW', value: 'x' }], ...message })
    return answer
  }
  const refused = { type: 'HANDLER', name: 'throw' }
  const objects = ['constructor', 'toString', '__proto__', '__defineGetter__', 'hasOwnProperty', 'nothing']
  for (const name of [...objects, 'pairingUri', 'begin'])
    expect(await dispatch({ type: 'APPLY', path: [name] }), name).toMatchObject(refused)
  for (const type of ['GET', 'SET', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'])
    expect(await dispatch({ type, path: ['answerText'], value: { type: 'RAW', value: 1 } }), type).toMatchObject(
      refused,
    )
  expect(await dispatch({ type: 'APPLY', path: ['answerText', 'apply'] })).toMatchObject(refused)
  expect([answerText.mock.calls, pairingUri.mock.calls]).toEqual([[], []])
  expect(await dispatch({ type: 'APPLY', path: ['answerText'] })).toMatchObject({ type: 'RAW', value: 'text' })
  expect(answerText.mock.calls).toEqual([['x']])
})

test('leader tab: a message that is no object is ignored', async () => {
  const channel = openChannel(`${protocolVersion} any`)
  open.push(channel)
  const heard: unknown[] = []
  const whole = new Promise<void>(resolve => {
    channel.onmessage = ({ data }: MessageEvent<{ k: string } | null>) => {
      heard.push(data?.k)
      if (data?.k === 'last') resolve()
    }
  })
  const script = channelNamed(`${protocolVersion} any`)
  for (const said of [null, undefined, 'lead', 5, true, 5n, { k: 'last' }]) script.postMessage(said)
  await whole
  expect(heard).toEqual(['last'])
})

test('leader tab: a closed channel sends nothing, and reports that to no peer', () => {
  const channel = openChannel(`${protocolVersion} closed`)
  channel.close()
  expect(() => channel.postMessage({})).not.toThrow()
})
