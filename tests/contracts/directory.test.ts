/** The worker's directory driver, against the local service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EffectData } from '../../src/events/effect.ts'
import type { ListedWallet } from '../../src/events/subjects/service/listingFacts.ts'
import { createDirectoryDriver, listChains } from '../../src/worker/drivers/directory.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import { type ServicesStack, startServices } from '../stack/services/services.ts'
import { listedWallets, listingSize } from '../stack/services/wallets.ts'
import { answerOf } from '../worker/drivers/harness.ts'

let services: ServicesStack
beforeAll(async () => {
  services = await startServices()
})
afterAll(() => services.close())

const saleChains = listChains([])

type Page = { count: number; wallets: ListedWallet[] }
function read(ask: Partial<EffectData['directory.read']>, onPhone?: boolean): Promise<Page> {
  const host = { configUrl: services.url, projectId: '0'.repeat(32), chains: saleChains, onPhone }
  const drivers = createDirectoryDriver({ ...host, http: createHttp() })
  const data = { page: 1, entries: 100, search: '', include: [], exclude: [], ...ask }
  return answerOf(drivers, 'directory.read', data, 'directory.read') as Promise<Page>
}
const names = ({ wallets }: Page) => wallets.map(({ name }) => name)

test('directory: a page leaves out wallets without Solana, and one that takes no code unless a phone opens it', async () => {
  const [first, onPhone] = [await read({ entries: 40 }), await read({ entries: 40 }, true)]
  expect(first.count).toBe(listingSize)
  expect(names(onPhone)).toHaveLength(40)
  expect(names(first)).toEqual(names(onPhone).filter(name => name !== 'Coinbase Wallet'))
  expect(names(first)).toHaveLength(39)
  expect(names(first).filter(name => name.startsWith('Ether'))).toEqual([])
  expect((await read({ search: 'ether' })).count).toBe(0)
})

test('directory: the badge and a search by name find certified wallets on every page', async () => {
  const certified = listedWallets().filter(
    one => one.badge_type === 'certified' && one.chains.some(chain => saleChains.includes(chain as never)),
  )
  const { count, wallets } = await read({ certified: true })
  expect(count).toBe(certified.length)
  expect(wallets.map(({ walletId }) => walletId)).toEqual(certified.slice(0, 100).map(({ id }) => id))
  const last = certified.at(-1)?.name ?? ''
  expect(names(await read({ certified: true, search: last }))).toContain(last)
  expect(names(await read({ certified: true, search: 'solflare' }))).toEqual([])
})
