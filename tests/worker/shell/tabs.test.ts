import { describe, expect, test, vi } from 'vitest'
import { readRecording } from '../../../src/events/recording.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { agree, config, logOf, impatience, openTab as open, refsIn, soon, type Tab, search } from './openTab.ts'

const post = BroadcastChannel.prototype.postMessage

describe('a second tab', () => {
  test('has the same core, sees everything, and its commands are answered', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    expect(await two.core.ping()).toBe(1)
    await two.command(search('from-two'))
    await one.command(search('from-one'))
    await agree([one, two])
    expect(two.facts.length).toBeGreaterThan(0)
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1', 't-1.c1'])
  })

  test('takes the lead when the first is killed, and loses no command that was given meanwhile', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    await two.command(search('before'))
    const killed = one.kill()
    const given = two.command(search('meanwhile'))
    await killed
    await given
    expect(two.model().core.life).toBe(2)
    expect(two.joins()).toBe(2)
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1', 't-2.c2'])
  })
})

describe('a leading tab that is frozen', () => {
  test('loses the lead to a visible tab, and steps down when it thaws', async () => {
    const frozen = await open('t-1')
    const two = await open('t-2', { patience: impatience })
    frozen.freeze()
    const given = two.command(search('while frozen'))
    await given
    expect(two.model().core.life).toBe(2)
    expect(two.died()).toBeUndefined()
    frozen.thaw()
    await soon(() => expect(frozen.died()).toMatchObject({ code: 'core_lost' }))
    await expect(frozen.command(search('too late'))).rejects.toMatchObject({ code: 'core_lost' })
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1'])
  })

  test('keeps it while nobody looks at another tab', async () => {
    const frozen = await open('t-1')
    const two = await open('t-2', { visible: false, patience: impatience })
    frozen.freeze()
    const asked = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
    // It asks, hears nothing for much longer than anybody would wait, and leaves it at that
    const longEnough = (10 * impatience.silentMs) / impatience.pingMs
    await soon(() => expect(asked.mock.calls.length).toBeGreaterThan(longEnough))
    expect(two.joins()).toBe(1)
    await two.core.lifecycle({ visible: true }, 't-2').catch(() => undefined)
    await soon(() => expect(two.joins()).toBe(2))
  })
})

describe('a tab of another build', () => {
  const other: CoreConfig = { ...config, solanaRpcUrl: 'http://127.0.0.1:10' }

  test('stays out and says so, both are told, and it leads as soon as it may', async () => {
    const one = await open('t-1')
    const two = await open('t-2', { config: other, early: true })
    await soon(() => expect(two.standings).toEqual(['otherBuild']))
    await soon(() => expect(one.otherBuilds).toEqual([true]))
    expect(two.joins()).toBe(0)
    await one.kill()
    await soon(() => expect(two.joins()).toBe(1))
  })

  test('that is closed is forgotten by the other', async () => {
    const one = await open('t-1')
    const two = await open('t-2', { config: other, early: true })
    await soon(() => expect(one.otherBuilds).toEqual([true]))
    await two.kill()
    await soon(() => expect(one.otherBuilds).toEqual([true, false]))
  })

  test('that takes the lead puts the tabs that followed out, and they say why', async () => {
    const one = await open('t-1')
    const foreign = await open('t-2', { config: other, early: true })
    const three = await open('t-3')
    await one.kill()
    await soon(() => expect(foreign.joins()).toBe(1))
    await soon(() => expect(three.standings).toEqual(['otherBuild']))
    await foreign.kill()
    await soon(() => expect(three.joins()).toBe(2))
    await three.command(search('back'))
    expect(refsIn(await logOf(three))).toEqual(['t-3.c1'])
  })

  test('saves a recording of what lies on this device, with its own facts', async () => {
    const one = await open('t-1')
    await one.command(search('kept'))
    const two = await open('t-2', { config: { ...other }, early: true })
    await soon(() => expect(two.standings).toEqual(['otherBuild']))
    const said = { k: 'p', p: 1, life: 0, after: 0, tab: 't-2', at: 1, type: 'tab.themed', v: 1 } as const
    const text = await two.core.recording([{ ...said, data: { theme: 'dark' } }])
    const { records, complete } = await readRecording(text, sha256Hex)
    expect(complete).toBe(true)
    expect(records.some(({ line }) => line.includes('"ref":"t-1.c1"'))).toBe(true)
    expect(records.at(-1)?.record).toMatchObject({ k: 'p', tab: 't-2' })
  })
})

describe('a browser without locks', () => {
  test('works in one tab, and the second says so', async () => {
    const one = await open('t-1', { locks: undefined })
    await one.command(search('alone'))
    const two = await open('t-2', { locks: undefined, early: true })
    await soon(() => expect(two.standings).toEqual(['oneTab']))
    await one.command(search('still'))
    expect(refsIn(await logOf(one))).toEqual(['t-1.c1', 't-1.c2'])
  })

  test('that refuses them works in one tab too', async () => {
    const refused = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) } as never
    const one = await open('t-1', { locks: refused })
    await one.command(search('alone'))
    expect(refsIn(await logOf(one))).toEqual(['t-1.c1'])
  })
})

describe('the record', () => {
  test('erased from a tab that follows is gone for all, and every page is told once', async () => {
    const [one, two, three] = [await open('t-1'), await open('t-2'), await open('t-3')]
    await two.command(search('secret'))
    expect(await two.core.erase('t-2')).toBe(true)
    await soon(() => expect([one.restarts, three.restarts]).toEqual([[true], [true]]))
    expect(two.restarts).toEqual([])
    // Every page starts a fresh worker then
    for (const tab of [one, two, three]) await tab.kill()
    const anew = await open('t-1')
    expect(anew.model().core.life).toBe(1)
    expect(refsIn(await logOf(anew))).toEqual([])
  })

  test('is opened once, however many tabs are opened at the same time', async () => {
    const tabs = await Promise.all(Array.from({ length: 8 }, (_, index) => open(`t-${index}`)))
    await Promise.all(tabs.map(tab => tab.command(search(`by ${tab.tab}`))))
    await agree(tabs)
    expect(tabs[7]?.model().core.life).toBe(1)
    expect(refsIn(await logOf(tabs[3] as Tab)).sort()).toEqual(tabs.map(tab => `${tab.tab}.c1`).sort())
  })
})

describe('what tabs say to each other', () => {
  test('holds no pairing code, though a tab that follows shows it', async () => {
    const heard: string[] = []
    const said = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(function (
      this: BroadcastChannel,
      message: unknown,
    ) {
      heard.push(JSON.stringify(message))
      return post.call(this, message)
    })
    const [, two] = [await open('t-1'), await open('t-2')]
    await two.command({
      type: 'connection.connectWalletConnect',
      data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
    })
    const topic = await two.until('a pairing', ({ pairing }) => {
      const shown = pairing.shown === null ? undefined : pairing.open[pairing.shown]
      return shown?.pairingTopic
    })
    const uri = (await two.core.pairingUri(topic)) ?? ''
    const symKey = /symKey=([0-9a-f]{64})/.exec(uri)?.[1] ?? 'none'
    expect(symKey).toHaveLength(64)
    expect(said).toHaveBeenCalled()
    expect(heard.join('\n')).toContain(topic)
    expect(heard.join('\n')).not.toContain(symKey)
  })
})
