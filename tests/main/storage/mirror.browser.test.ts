/** A page with its own core and two installed wallets; no service answers. Its tests follow one visit, in order. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '../../../src/events/command.ts'
import { type Page, startPage } from '../../../src/main/page/page.tsx'
import { account, announceIn, smallWallet } from '../drivers/smallWallet.ts'

const nowhere = 'http://127.0.0.1:1'
const [one, two] = [account(1), account(2)]
const phantomId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
/** Another library has a wallet on another chain. */
const foreign = { eip155: [{ connectorId: 'io.rabby', accounts: [{ address: '0x1' }] }] }

let page: Page
let forget: () => void
/** Names of values in the order of their writes. */
const writes: string[] = []
const { setItem, removeItem } = Storage.prototype

function open(): Page {
  return startPage({
    addresses: {
      projectId: 'p1',
      relayUrl: 'ws://127.0.0.1:1',
      solanaRpcUrl: `${nowhere}/storage`,
      apiUrl: nowhere,
      configUrl: nowhere,
      termsUrl: `${nowhere}/terms.json`,
    },
    ui: { appName: '', termsUrl: '', privacyUrl: '', solanaRpcUrl: '', allWallets: 'SHOW', featured: [] },
    host: { featured: [], metadata: { name: 'Host', description: '', url: nowhere, icons: [] } },
  })
}

const value = (name: string) => localStorage.getItem(`@appkit/${name}`)
const json = (name: string) => JSON.parse(value(name) ?? 'null') as unknown
/** Resolves once the command is on disk. */
const command = async (given: Command) => (await page.started).give(given).taken
const { values } = Object

async function connect(name: string): Promise<void> {
  const here = () => page.store.model().installed.find(wallet => wallet.name === name)
  await expect.poll(here).toBeDefined()
  await command({
    type: 'connection.connectInstalled',
    data: { walletKey: here()?.walletKey ?? '', wallet: { walletId: name, name } },
  })
}
const idOf = (name: string) =>
  values(page.store.model().connection.made).find(({ wallet }) => wallet.name === name)?.connectionId ?? ''

beforeAll(() => {
  localStorage.clear()
  localStorage.setItem('@appkit/connection_status', 'connected')
  localStorage.setItem('@appkit/connected_namespaces', 'eip155')
  localStorage.setItem('@appkit/connections', JSON.stringify(foreign))
  Storage.prototype.setItem = function (name, text) {
    writes.push(name)
    setItem.call(this, name, text)
  }
  Storage.prototype.removeItem = function (name) {
    writes.push(name)
    removeItem.call(this, name)
  }
  forget = announceIn(
    window,
    smallWallet({ name: 'Phantom', accounts: [one] }).wallet,
    smallWallet({ name: 'Quill', accounts: [two] }).wallet,
  )
  page = open()
})
afterAll(() => {
  page.close()
  forget()
  Object.assign(Storage.prototype, { setItem, removeItem })
  localStorage.clear()
})

test('client storage: a start without a connection leaves another library’s values', async () => {
  await expect.poll(() => value('mai:schema')).toBe('1')
  expect(writes).toEqual(['@appkit/mai:schema', '@appkit/mai:written'])
  expect(json('connections')).toEqual(foreign)
})

test('client storage: connecting writes the wallet and its account', async () => {
  await connect('Phantom')
  await expect.poll(() => value('solana:connected_connector_id')).toBe(phantomId)
  expect([value('connection_status'), value('connected_namespaces')]).toEqual(['connected', 'eip155,solana'])
  expect(json('connections')).toEqual({
    ...foreign,
    solana: [{ connectorId: phantomId, accounts: [{ address: one.address }], name: 'Phantom' }],
  })
})

test('client storage: switching the wallet names the active one', async () => {
  await connect('Quill')
  await expect.poll(() => value('solana:connected_connector_id')).toBe('Quill')
  expect(json('connections')).toMatchObject({ solana: [{ connectorId: phantomId }, { connectorId: 'Quill' }] })
  await command({ type: 'connection.activate', data: { connectionId: idOf('Phantom') } })
  await expect.poll(() => value('solana:connected_connector_id')).toBe(phantomId)
})

test('client storage: a page that starts again finds its values right', async () => {
  page.close()
  writes.length = 0
  page = open()
  await expect.poll(() => page.store.model().connection.made[idOf('Phantom')]?.phase).toBe('live')
  await command({ type: 'connection.disconnect', data: { connectionId: idOf('Quill') } })
  await expect.poll(() => json('disconnected_connector_ids')).toEqual({ solana: ['Quill'] })
  expect(json('connections')).toMatchObject({ ...foreign, solana: [{ connectorId: phantomId }] })
  expect(new Set(writes)).toEqual(
    new Set(['@appkit/mai:written', '@appkit/connections', '@appkit/disconnected_connector_ids']),
  )
})

test('client storage: disconnecting leaves the other library’s values alone', async () => {
  await command({ type: 'connection.disconnect', data: { connectionId: idOf('Phantom') } })
  await expect.poll(() => value('solana:connected_connector_id')).toBeNull()
  await expect.poll(() => value('connected_namespaces')).toBe('eip155')
  expect(value('connection_status')).toBe('connected')
  expect(json('connections')).toEqual(foreign)
  expect(json('disconnected_connector_ids')).toEqual({ solana: ['Quill', phantomId] })
})

test('client storage: the wallet that another library left connected is offered first, and not asked', async () => {
  expect(await (await page.started).erase()).toBe(true)
  page.close()
  localStorage.clear()
  localStorage.setItem('@appkit/connection_status', 'connected')
  localStorage.setItem('@appkit/solana:connected_connector_id', 'Quill')
  const solana = [{ connectorId: 'Quill', accounts: [{ address: two.address }] }]
  localStorage.setItem('@appkit/connections', JSON.stringify({ solana }))
  page = open()
  const connection = () => page.store.model().connection
  await expect.poll(() => connection().recent).toEqual([{ walletId: 'Quill', name: 'Quill' }])
  expect(connection()).toMatchObject({ attempt: { phase: 'none' }, made: {} })
})
