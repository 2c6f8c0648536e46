import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { networks } from '../../../src/events/values/networks.ts'
import { chooseNetwork } from '../../../src/worker/journal/chosenNetwork.ts'
import { soon } from '../../soon.ts'
import { config, connectLantern, logOf, openTab as open, refsIn, search, type Tab } from './openTab.ts'

const [mainnet, devnet] = networks
if (!mainnet || !devnet) throw new Error('the list of networks is short')
const account = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A node that answers only the genesis hash. */
async function nodeOf(genesisHash: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const asked = JSON.parse(body) as { id: number; method: string } | { id: number; method: string }[]
      const answer = ({ id, method }: { id: number; method: string }) => ({
        jsonrpc: '2.0',
        id,
        ...(method === 'getGenesisHash' ? { result: genesisHash } : { error: { code: -32_601, message: 'no' } }),
      })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
    })()
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A page on mainnet that offers devnet as well. */
async function offering() {
  const [home, away] = [await nodeOf(mainnet!.genesisHash), await nodeOf(devnet!.genesisHash)]
  const offered = [{ genesisHash: devnet!.genesisHash, rpcUrls: [away] }]
  return { config: { ...config, solanaRpcUrl: home, networks: offered } }
}

const switchTo = (caip2: string) => ({ type: 'network.switch', data: { caip2 } }) as const
const activeOf = (page: Tab) => page.model().network.offer?.active

/** Switches from this page; every tab restarts, as pages do. */
async function switched(tabs: Tab[], from: Tab, to: string): Promise<void> {
  // Its core may have left before it could acknowledge
  void from.command(switchTo(to)).catch(() => undefined)
  for (const tab of tabs) await soon(() => expect(tab.restarts.length).toBeGreaterThan(0))
  for (const tab of tabs) await tab.kill()
}

describe('a network that the person chose', () => {
  test('has a log of its own, in every tab and after a reload; the wallet goes along', async () => {
    const at = await offering()
    const tabs = [await open('t-1', at), await open('t-2', at)]
    const [one, two] = tabs as [Tab, Tab]
    await connectLantern(one, account)
    await one.command(search('on mainnet'))
    await switched(tabs, two, devnet!.caip2)

    const again = await open('t-1', at)
    expect(activeOf(again)).toBe(devnet!.caip2)
    const made = Object.values(again.model().connection.made)
    expect(made).toMatchObject([{ phase: 'restoring', accounts: [account], wallet: { name: 'Lantern' } }])
    await soon(() => expect(again.effects).toMatchObject([{ type: 'wallet.connect', data: { silent: true } }]))
    await again.until('the chain', ({ network }) => network.phase === 'identified')
    const follower = await open('t-2', at)
    expect(activeOf(follower)).toBe(devnet!.caip2)
    const log = await logOf(again)
    expect(log[0]).toMatchObject({ type: 'core.boot', data: { genesisHash: devnet!.genesisHash } })
    expect(refsIn(log)).toEqual([])
    for (const tab of [again, follower]) await tab.kill()

    const reloaded = await open('t-1', at)
    expect(activeOf(reloaded)).toBe(devnet!.caip2)
    await switched([reloaded], reloaded, mainnet!.caip2)
    const home = await open('t-1', at)
    expect(activeOf(home)).toBe(mainnet!.caip2)
    expect(refsIn(await logOf(home))).toHaveLength(3)
    expect(home.model().connection.active).not.toBeNull()
  })

  test('is asked of the wallet list beside the others', async () => {
    const asked: string[] = []
    const list = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://here').searchParams.get('chains') ?? '')
      response.end('{"count":0,"data":[]}')
    })
    servers.push(list)
    await new Promise<void>(resolve => list.listen(0, '127.0.0.1', resolve))
    const configUrl = `http://127.0.0.1:${(list.address() as AddressInfo).port}`
    const at = await offering()
    const one = await open('t-1', { config: { ...at.config, configUrl } })
    await one.command(search('lantern'))
    await soon(() => expect(asked[0]).toBe(`${mainnet!.caip2},${devnet!.caip2}`))
    await switched([one], one, devnet!.caip2)
    const again = await open('t-1', { config: { ...at.config, configUrl } })
    await again.command(search('lantern'))
    await soon(() => expect(asked[1]).toBe(`${mainnet!.caip2},${devnet!.caip2}`))
  })

  test('has no sale: nothing is read of its terms', async () => {
    const at = await offering()
    const one = await open('t-1', { config: { ...at.config, sale: { authority: account, id: 'mai' } } })
    await switched([one], one, devnet!.caip2)
    const away = await open('t-1', at)
    const terms = await away.until('the refusal', ({ sale }) => sale.terms.phase === 'refused' && sale.terms)
    expect(terms.failure.code).toBe('unsupported')
  })

  test('that the page offers no more gives way to its own', async () => {
    const { config: given } = await offering()
    await chooseNetwork(networks[2]!.caip2)
    const one = await open('t-1', { config: given })
    expect(activeOf(one)).toBe(mainnet!.caip2)
  })
})
