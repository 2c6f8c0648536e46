/** Pages with a provider over the whole worker side, and small RPC nodes for it. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { IDBFactory } from 'fake-indexeddb'
import { createProvider, type Provider, type ProviderOptions } from '../../src/main/provider/provider.ts'
import type { Locks } from '../../src/runtime/tabs/locks.ts'
import type { Stack } from '../stack/start.ts'
import type { KitWallet } from '../stack/wallet/kit.ts'
import { createLocks } from '../worker/tabs/locks.ts'
import { configFor, openPage } from '../worker/tabs/page.ts'

let pages = 0
export type Device = { locks: Locks; name: string }
export function createDevice(): Device {
  globalThis.indexedDB = new IDBFactory()
  return { locks: createLocks(), name: `device-${pages}` }
}

/** Opens a page with a provider, on a fresh device or beside another page. */
export async function startHost(
  stack: Stack,
  { now = Date.now, device = createDevice(), options = {} as ProviderOptions } = {},
) {
  pages += 1
  // Names the device: tabs with another registry cannot share its core
  const shell = { registry: device.name }
  const page = await openPage({ config: configFor(stack), locks: device.locks, tab: `t-${pages}`, now, shell })
  const provider = createProvider(
    {
      model: page.model,
      now,
      platform: { apiUrl: '', projectId: '' },
      tab: page.tab,
      give: page.give,
      hear: page.hear,
      pairingUri: topic => page.core.pairingUri(topic),
      answerText: ref => page.core.answerText(ref),
      readChain: question => page.core.readChain(question),
      guarded: run => run(),
    },
    options,
  )
  return { page, provider }
}

/** Connects a wallet by the provider's code. @returns its session's topic */
export async function connect(provider: Provider, wallet: KitWallet, optionalNamespaces: object): Promise<string> {
  provider.once('display_uri', uri => void wallet.pair(uri))
  const { topic } = await provider.connect({ optionalNamespaces: optionalNamespaces as never })
  const known = wallet.sessions()
  if (known.join() !== topic) throw new Error(`the wallet expected the one session ${topic}, it has ${known.join()}`)
  return topic
}

export type SmallNode = { url: string; server: Server; asked: { method: string; params: unknown; path: string }[] }

/** @param answer the members of an answer as JSON text: `"result":1` */
export async function startNode(answer: (asked: { method: string; path: string }) => string): Promise<SmallNode> {
  const asked: SmallNode['asked'] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown }
    const path = request.url ?? ''
    asked.push({ method, params, path })
    response.end(`{"jsonrpc":"2.0","id":${id},${answer({ method, path })}}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, asked }
}
