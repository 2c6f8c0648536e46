import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { tablesHash } from '../../../src/runtime/schema/tablesHash.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import {
  agree,
  config,
  connectLantern,
  logOf,
  impatience,
  openTab as open,
  refsIn,
  type Tab,
  search,
} from './openTab.ts'
import { soon } from '../../soon.ts'

const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const account = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A node that answers only the genesis hash, from `identify` on; until then it is silent, or busy. Later perhaps another one. */
async function nodeOf(
  genesisHash: string,
  before: 'silent' | 'busy' = 'silent',
): Promise<{ url: string; identify(hash?: string): void }> {
  let [identify, served, isReady] = [() => undefined as void, genesisHash, false]
  const asked = new Promise<void>(resolve => (identify = resolve))
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { id, method } = JSON.parse(body) as { id: unknown; method: string }
      if (!isReady && before === 'busy') return response.writeHead(503).end()
      await asked
      const said = method === 'getGenesisHash' ? { result: served } : { error: { code: -32_601, message: 'no' } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }))
    })()
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identify(hash = genesisHash) {
      served = hash
      isReady = true
      identify()
    },
  }
}

const post = BroadcastChannel.prototype.postMessage

describe('a second tab', () => {
  test('has the same core, gets every fact, and its commands are answered', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    expect(await two.core.ping()).toBe(1)
    await two.command(search('from-two'))
    await one.command(search('from-one'))
    await agree([one, two])
    expect(two.facts.length).toBeGreaterThan(0)
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1', 't-1.c1'])
  })

  test('takes the lead when the first is killed, and loses no given command', async () => {
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

describe('a page that gives up its frozen worker', () => {
  /** No leader ever counts as silent. */
  const patience = { pingMs: 40, silentMs: 1e9 }

  test('leads again with the next one at once, though the frozen one still holds its locks', async () => {
    const frozen = await open('t-1', { worker: 't-1.w1' })
    frozen.freeze()
    const next = await open('t-1', { worker: 't-1.w2', ended: 't-1.w1', cause: 'lost', patience })
    await next.command(search('after'))
    expect(refsIn(await logOf(next))).toEqual(['t-1.c1'])
  })

  test('is its only core, if the old one was opening when it lost the lead', async () => {
    const { url, identify } = await nodeOf(devnet)
    const at = { config: { ...config, solanaRpcUrl: url } }
    const old = await open('t-1', { ...at, worker: 't-1.w1', early: true })
    const opening = open('t-1', { ...at, worker: 't-1.w2', ended: 't-1.w1', cause: 'lost', patience })
    await soon(() => expect(old.died()).toMatchObject({ code: 'core_lost' }))
    identify()
    const next = await opening
    await next.command(search('after'))
    await next.command(search('and after'))
    expect(next.died()).toBeUndefined()
    const boots = (await logOf(next)).filter(record => record.k === 'i' && record.type === 'core.boot')
    expect(boots).toMatchObject([{ data: { life: 1 } }])
  })

  test('takes the lead from no other tab', async () => {
    const leader = await open('t-2', { worker: 't-2.w1' })
    const frozen = await open('t-1', { worker: 't-1.w1' })
    frozen.freeze()
    const next = await open('t-1', { worker: 't-1.w2', ended: 't-1.w1', cause: 'lost', patience })
    await next.command(search('after'))
    expect(leader.died()).toBeUndefined()
    expect(refsIn(await logOf(leader))).toEqual(['t-1.c1'])
  })
})

describe('a frozen leader tab', () => {
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
    await expect(frozen.enter(() => frozen.core.command(search('too late'), 't-1.late', 't-1'))).rejects.toMatchObject({
      code: 'core_lost',
    })
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1'])
  })

  test('keeps it while other tabs are hidden', async () => {
    const frozen = await open('t-1')
    const two = await open('t-2', { visible: false, patience: impatience })
    frozen.freeze()
    const asked = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
    // It asks the leader, gets no answer for far longer than the patience, and takes no lead
    const longEnough = (10 * impatience.silentMs) / impatience.pingMs
    await soon(() => expect(asked.mock.calls.length).toBeGreaterThan(longEnough))
    expect(two.joins()).toBe(1)
    await two.core.lifecycle({ visible: true }, 't-2').catch(() => undefined)
    await soon(() => expect(two.joins()).toBe(2))
  })
})

describe('a tab of another build', () => {
  const other: CoreConfig = { ...config, solanaRpcUrl: 'http://127.0.0.1:10' }

  test('waits and says so, both are told, and it leads as soon as it may', async () => {
    const one = await open('t-1')
    const two = await open('t-2', { config: other, early: true })
    await soon(() => expect(two.standings).toEqual(['otherBuild']))
    await soon(() => expect(one.otherBuilds).toEqual([true]))
    expect(two.joins()).toBe(0)
    await one.kill()
    await soon(() => expect(two.joins()).toBe(1))
  })

  test('that closes is forgotten by the other', async () => {
    const one = await open('t-1')
    const two = await open('t-2', { config: other, early: true })
    await soon(() => expect(one.otherBuilds).toEqual([true]))
    await two.kill()
    await soon(() => expect(one.otherBuilds).toEqual([true, false]))
  })

  test('that takes the lead disconnects the followers, and they give the reason', async () => {
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

  test('saves a recording of the log on this device, with its own facts', async () => {
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

describe('a tab whose build has other types', () => {
  const types = [allInputDefinitions, factDefinitions, pageFactDefinitions]
  const more = { 'order.gifted': { version: 1, fields: {} } }

  test('is told from one with the same types, on both sides, and waits', async () => {
    const one = await open('t-1')
    const same = await open('t-2', { shell: { registry: tablesHash(types) } })
    expect(same.joins()).toBe(1)
    const newer = await open('t-3', { shell: { registry: tablesHash([...types, more]) }, early: true })
    await soon(() => expect(newer.standings).toEqual(['otherBuild']))
    for (const tab of [one, same]) await soon(() => expect(tab.otherBuilds).toEqual([true]))
    expect(newer.joins()).toBe(0)
    await one.kill()
    await same.kill()
    await soon(() => expect(newer.joins()).toBe(1))
    expect(newer.otherBuilds.at(-1) ?? false).toBe(false)
  })
})

describe('a tab that closes during a wallet request', () => {
  const connect = {
    type: 'connection.connectInstalled',
    data: { walletKey: 'k1', wallet: { walletId: 'lantern', name: 'Lantern' } },
  } as const

  test('ends the request when it does not come back', async () => {
    const one = await open('t-1', { patience: { pingMs: 40, returnMs: 100 } })
    const two = await open('t-2')
    await two.command(connect)
    await soon(() => expect(two.effects).toHaveLength(1))
    await two.kill()
    const { attempt } = await one.until(
      'the end of it',
      model => model.connection.attempt.phase === 'failed' && model.connection,
    )
    expect(attempt).toMatchObject({ failure: { code: 'wallet_gone', message: 'the tab that was asked is closed' } })
    const heard = (await logOf(one)).filter(record => record.k === 'i' && record.type === 'wallet.failed')
    expect(heard).toMatchObject([{ tab: 't-2' }])
  })

  test('may answer it when only its worker died', async () => {
    const one = await open('t-1', { patience: { pingMs: 40, returnMs: 1500 } })
    const two = await open('t-2')
    await two.command(connect)
    await soon(() => expect(two.effects).toHaveLength(1))
    const effectId = two.effects[0]?.id ?? ''
    await two.kill()
    const again = await open('t-2')
    await again.core.answer(effectId, { type: 'wallet.connected', accounts: [account], features: [] }, 't-2')
    const made = await one.until('the connection', ({ connection }) => Object.values(connection.made)[0])
    expect(made).toMatchObject({ phase: 'live', accounts: [account] })
  })
})

describe('an RPC that turns out to serve another chain', () => {
  test('restarts every tab, and all of them have the log of that chain then', async () => {
    const { url, identify } = await nodeOf(mainnet)
    identify()
    const at = { config: { ...config, solanaRpcUrl: url } }
    const tabs = [await open('t-1', at), await open('t-2', at), await open('t-3', at)]
    await tabs[0]?.until('the chain', ({ network }) => network.phase === 'identified')
    for (const tab of tabs) await tab.kill()
    identify(devnet)
    tabs.splice(0, 3, await open('t-1', at), await open('t-2', at), await open('t-3', at))
    for (const tab of tabs) await soon(() => expect(tab.restarts).toEqual(['another']))
    for (const tab of tabs) await tab.kill()
    const [one, two] = [await open('t-1', at), await open('t-2', at)]
    await two.command(search('on the right chain'))
    await agree([one, two])
    const log = await logOf(one)
    expect(log[0]).toMatchObject({ type: 'core.boot', data: { life: 1, genesisHash: devnet } })
    expect(refsIn(log)).toEqual(['t-2.c1'])
  })
})

describe('a chain that is known only after a while', () => {
  test('gets the log that was begun before, for every tab: the wallet stays connected', async () => {
    const { url, identify } = await nodeOf(devnet, 'busy')
    const at = { config: { ...config, solanaRpcUrl: url } }
    const tabs = [await open('t-1', at), await open('t-2', at)]
    const [one, two] = tabs as [Tab, Tab]
    await two.command(search('before'))
    await connectLantern(one, account)
    identify()
    for (const tab of tabs) await soon(() => expect(tab.restarts).toEqual(['same']))
    for (const tab of tabs) await tab.kill()

    const again = await open('t-1', { ...at, cause: 'lost' })
    expect(again.model()).toMatchObject({
      core: { life: 2 },
      network: { phase: 'identified', genesisHash: devnet },
      connection: { active: expect.any(String) },
    })
    const log = await logOf(again)
    expect(log.filter(record => record.k === 'i' && record.type === 'core.boot')).toMatchObject([
      { data: { genesisHash: '' } },
      { data: { life: 2, genesisHash: devnet } },
    ])
    expect(refsIn(log)).toEqual(['t-2.c1', 't-1.c1'])
    await again.kill()

    // Nothing of it is left for the next visit that begins without a chain
    const elsewhere = { ...config, solanaRpcUrl: (await nodeOf(devnet, 'busy')).url }
    const other = await open('t-1', { config: elsewhere })
    expect(other.model()).toMatchObject({ core: { life: 1 }, connection: { made: {} } })
  })

  test('keeps the log that it has', async () => {
    const [known, late] = [await nodeOf(devnet), await nodeOf(devnet, 'busy')]
    known.identify()
    const before = await open('t-1', { config: { ...config, solanaRpcUrl: known.url } })
    await before.command(search('on the chain'))
    await before.kill()
    const at = { config: { ...config, solanaRpcUrl: late.url } }
    const unknown = await open('t-1', at)
    await unknown.command(search('on none yet'))
    late.identify()
    await soon(() => expect(unknown.restarts).toEqual(['another']))
    await unknown.kill()
    const after = await open('t-1', at)
    expect(after.model().core.life).toBe(2)
    expect(refsIn(await logOf(after))).toEqual(['t-1.c1'])
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

describe('a browser that refuses channels', () => {
  test('works in one tab; the second says so, and works when the first closes', async () => {
    vi.spyOn(globalThis, 'BroadcastChannel').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    const one = await open('t-1')
    await one.command(search('alone'))
    const two = await open('t-2', { early: true })
    await soon(() => expect(two.standings).toEqual(['oneTab']))
    await one.kill()
    await soon(() => expect(two.joins()).toBe(1))
    await two.command(search('after'))
    expect(refsIn(await logOf(two))).toEqual(['t-1.c1', 't-2.c1'])
  })
})

describe('the log of several tabs', () => {
  test('erased from a follower is gone for all, and every page is told once', async () => {
    const [one, two, three] = [await open('t-1'), await open('t-2'), await open('t-3')]
    await two.command(search('secret'))
    expect(await two.core.erase('t-2')).toBe(true)
    await soon(() => expect([one.restarts, three.restarts]).toEqual([['new'], ['new']]))
    expect(two.restarts).toEqual([])
    // Every page starts a fresh worker then
    for (const tab of [one, two, three]) await tab.kill()
    const anew = await open('t-1')
    expect(anew.model().core.life).toBe(1)
    expect(refsIn(await logOf(anew))).toEqual([])
  })

  test('erased disconnects the wallet of this device too, in the page that erased', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    await connectLantern(one, account)
    await agree([one, two])
    expect(await two.core.erase('t-2')).toBe(true)
    await soon(() =>
      expect(two.effects.filter(({ type }) => type === 'wallet.disconnect')).toMatchObject([
        { data: { name: 'Lantern' } },
      ]),
    )
  })

  test('is opened once by tabs that open at the same time', async () => {
    const tabs = await Promise.all(Array.from({ length: 8 }, (_, index) => open(`t-${index}`)))
    await Promise.all(tabs.map(tab => tab.command(search(`by ${tab.tab}`))))
    await agree(tabs)
    expect(tabs[7]?.model().core.life).toBe(1)
    expect(refsIn(await logOf(tabs[3] as Tab)).sort()).toEqual(tabs.map(tab => `${tab.tab}.c1`).sort())
  })
})

describe('messages between tabs', () => {
  test('hold no pairing code, though a follower shows it', async () => {
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
