/** Any script of the origin can speak on the channels of its tabs. */
import { afterEach, expect, test, vi } from 'vitest'
import { openChannel, ownName, sharedName, type ToFollower } from '../../../src/worker/tabs/channel.ts'
import type { RunningCore } from '../../../src/worker/tabs/forwardCalls.ts'
import { createLeaderTab } from '../../../src/worker/tabs/leaderTab.ts'
import type { Locks } from '../../../src/worker/tabs/locks.ts'

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

test('a script that joins as a tab reaches the calls of pages by their names, and nothing else', async () => {
  // The script holds its lock for ever
  const locks = { request: () => new Promise(() => undefined) } as unknown as Locks
  const leader = createLeaderTab({ peer: 'leader', protocolVersion, locks, returnMs: 1000 })
  open.push(leader)
  const answerText = vi.fn(async () => 'text')
  const pages = { relay: () => undefined }
  leader.opened({ open: { isOver: () => false, life: 1, pages }, calls: { answerText } } as unknown as RunningCore)
  const own = channelNamed(ownName(protocolVersion, 'script'))
  const heard: ToFollower[] = []
  const said = (k: ToFollower['k']) =>
    new Promise<ToFollower>(resolve => {
      own.onmessage = ({ data }: MessageEvent<ToFollower>) => {
        heard.push(data)
        if (data.k === k) resolve(data)
      }
    })
  const welcome = said('welcome')
  channelNamed(sharedName(protocolVersion)).postMessage({ k: 'join', from: 'script' })
  await welcome

  const call = (name: string) => ({ k: 'call', to: 'leader', id: 1, name, args: ['x'], again: false })
  for (const name of ['constructor', 'toString', '__proto__', '__defineGetter__', 'hasOwnProperty', 'nothing']) {
    const refused = said('refused')
    own.postMessage(call(name))
    expect(await refused).toMatchObject({ failure: { message: `a call expected a known name, got ${name}` } })
  }
  expect(answerText).not.toHaveBeenCalled()
  const answered = said('answer')
  own.postMessage(call('answerText'))
  expect(await answered).toMatchObject({ value: 'text' })
  expect(heard.filter(({ k }) => k === 'answer')).toHaveLength(1)
})

test('a message that is no object is not heard', async () => {
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
