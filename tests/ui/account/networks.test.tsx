// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CoreSideFact } from '../../../src/events/app.ts'
import { networks } from '../../../src/events/values/networks.ts'
import type { FailureCode } from '../../../src/runtime/failure.ts'
import { Modal } from '../../../src/ui/modal/Modal.tsx'
import { accountAhead } from '../../../src/ui/modal/screens.tsx'
import { connected, connectedTorch, opened, stage } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

beforeAll(accountAhead)
afterEach(cleanup)

const [mainnet, devnet, testnet] = networks as [(typeof networks)[0], (typeof networks)[0], (typeof networks)[0]]
const own = { caip2: 'solana:9xQeWvG816bUx9EPjHmaT23yvVM2ZWbr', name: 'Ours', rpcUrl: 'https://ours.example' }
const listed = [mainnet.caip2, devnet.caip2, testnet.caip2, own.caip2]
const identified = ({ genesisHash, caip2 } = mainnet): CoreSideFact => ({
  type: 'network.identified',
  data: { genesisHash, caip2 },
})
const offered = (active = mainnet.caip2, all = listed): CoreSideFact => ({
  type: 'network.offered',
  data: { home: mainnet.caip2, active, networks: all },
})
const refused = (code: FailureCode): CoreSideFact => ({
  type: 'network.refused',
  data: { caip2: devnet.caip2, failure: { code, message: 'no' } },
})
/** Torch's session, which approves these networks. */
const approving = (...chains: string[]) =>
  connectedTorch({
    namespaces: { solana: { accounts: chains.map(chain => `${chain}:a`), methods: [], events: [] } },
  })
const title = () => screen.getByTestId('modal-title').textContent
const rows = () => screen.getAllByTestId('network-row')
const words = () => document.querySelector('.ring-words')?.textContent
const press = (testId: string) => fireEvent.click(screen.getByTestId(testId))
const config = { ...stage().surroundings.config, networks: [own] }

/** The account with its networks. */
async function onAccount(...facts: CoreSideFact[]) {
  const on = onStage({ config })
  on.facts(identified(), offered(), ...(facts.length > 0 ? facts : [connected()]))
  on.page(opened('Account'))
  on.show(<Modal />)
  await waitFor(() => expect(screen.getByTestId('network').tagName).toBe('BUTTON'))
  return on
}
async function onNetworks(...facts: CoreSideFact[]) {
  const on = await onAccount(...facts)
  press('network')
  await screen.findByTestId('network-search')
  return on
}
/** On the way to devnet. */
async function onSwitch(...facts: CoreSideFact[]) {
  const on = await onNetworks(...facts)
  fireEvent.click(rows()[0] as HTMLElement)
  await screen.findByText('Switching to Solana Devnet')
  return on
}

describe('the chip on the account', () => {
  test('is text without a choice', () => {
    const on = onStage()
    on.facts(identified(), connected())
    on.page(opened('Account'))
    on.show(<Modal />)
    expect(screen.getByTestId('network').tagName).toBe('SPAN')
    on.facts(offered(mainnet.caip2, [mainnet.caip2]))
    expect(screen.getByTestId('network').tagName).toBe('SPAN')
  })

  test('leads to the networks, and names the host’s own', async () => {
    const on = await onAccount()
    expect(screen.getByLabelText('Solana, choose another network').textContent).toBe('Solana')
    on.facts(offered(own.caip2))
    expect(screen.getByTestId('network').textContent).toContain('Ours')
    press('network')
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'Networks' } } })
  })

  test('of a network that the wallet did not approve leads to the way out', async () => {
    await onAccount(...approving(devnet.caip2))
    expect(screen.getByTestId('network').textContent).toBe('Switch network')
    press('network')
    expect((await screen.findByText(/Torch did not approve Solana\./)).textContent).toContain('disconnect it')
    expect(title()).toBe('Switch network')
    expect(screen.getAllByTestId('network-row').map(row => row.getAttribute('aria-disabled'))).toEqual([
      null,
      'true',
      'true',
    ])
    expect(screen.getAllByText('Not approved by Torch')).toHaveLength(3)
  })
})

describe('networks', () => {
  test('the active one says so and is no button, test networks are tagged', async () => {
    await onNetworks()
    expect(rows().map(row => row.textContent)).toEqual(['Solana DevnetTest', 'Solana TestnetTest', 'OOursTest'])
    expect(screen.getByText('Active').closest('button')).toBeNull()
  })

  test('a press on one asks the core, once', async () => {
    const on = await onSwitch()
    expect(on.commands.filter(({ type }) => type === 'network.switch')).toEqual([
      { type: 'network.switch', data: { caip2: devnet.caip2 } },
    ])
    expect(title()).toBe('Solana Devnet')
  })

  test('one that the wallet did not approve is off, with the reason', async () => {
    const on = await onNetworks(...approving(mainnet.caip2, devnet.caip2))
    const off = rows().find(row => row.textContent?.startsWith('Solana Testnet'))
    expect(off?.textContent).toContain('Not approved by Torch')
    fireEvent.click(off as HTMLElement)
    expect(on.types()).not.toContain('network.switch')
  })

  test('are searched by name; none found says so', async () => {
    await onNetworks()
    const field = screen.getByTestId('network-search')
    fireEvent.change(field, { target: { value: ' DEV ' } })
    await waitFor(() => expect(rows()).toHaveLength(1))
    fireEvent.change(field, { target: { value: 'near' } })
    await screen.findByText('No network named “near”')
  })

  test('are explained', async () => {
    await onNetworks()
    press('network-help')
    await screen.findByText('Each one stands alone')
    expect(screen.getByText('Learn more').closest('a')?.getAttribute('target')).toBe('_blank')
  })

  test('shimmer until the core has told which, and without a choice say so', async () => {
    const on = onStage()
    on.page(opened('Connect'), { type: 'screen.shown', data: { screen: { name: 'Networks' } } })
    on.show(<Modal />)
    await screen.findByTestId('network-search')
    expect(document.querySelector('[aria-busy="true"]')).not.toBeNull()
    on.facts({
      type: 'core.started',
      data: { life: 1, build: 'b', cause: 'start', storage: 'durable' },
    })
    await screen.findByText('No other network')
  })

  test('offline says that a network is read later', async () => {
    const on = await onNetworks()
    on.facts({ type: 'network.offline', data: {} })
    await screen.findByText(/You are offline/)
    expect(rows()).toHaveLength(3)
  })
})

describe('a switch', () => {
  test('that happened leads back to where the networks were opened', async () => {
    const on = await onSwitch()
    on.facts({ type: 'network.switched', data: { caip2: devnet.caip2 } }, offered(devnet.caip2), identified(devnet))
    await waitFor(() => expect(screen.getByTestId('network').textContent).toContain('Solana Devnet'))
    expect(on.store.model().screen.history).toEqual([{ name: 'Account' }])
  })

  test('with the connection of the other network’s log neither closes the modal nor counts as a new wallet', async () => {
    const on = await onSwitch()
    on.clock.now += 1000
    on.facts(connected('Phantom', 'c2'))
    expect(title()).toBe('Solana Devnet')
    on.facts(offered(devnet.caip2))
    await waitFor(() => expect(screen.getByTestId('modal').getAttribute('aria-label')).toBe('Account'))
    expect(document.body.textContent).not.toContain('New wallet added')
  })

  test('of a visitor without a wallet closes the modal that a host opened on the networks', async () => {
    const on = onStage()
    on.facts(identified(), offered())
    on.page({ type: 'screen.opened', data: { screen: { name: 'Networks' } } })
    on.show(<Modal />)
    await screen.findByTestId('network-search')
    fireEvent.click(rows()[0] as HTMLElement)
    on.facts(offered(devnet.caip2))
    await waitFor(() => expect(screen.queryByTestId('modal')).toBeNull())
  })

  test.each([
    [
      'unsupported',
      'Switch declined',
      'Torch did not approve Solana Devnet. You are still on Solana. Nothing changed.',
    ],
    ['busy', 'A request is on its way', 'Switch once it has come through. You are still on Solana. Nothing changed.'],
    [
      'storage_down',
      'This browser stores nothing',
      'A switch needs storage. You are still on Solana. Nothing changed.',
    ],
    ['bad_input', 'Network not found', 'This page does not offer it. You are still on Solana. Nothing changed.'],
    ['unknown', 'Could not switch', 'You are still on Solana. Nothing changed.'],
  ] as const)('that was refused with %s stays, and is tried again', async (code, fact, text) => {
    const on = await onSwitch(...approving(mainnet.caip2, devnet.caip2))
    on.facts(refused(code))
    expect(words()).toBe(fact + text)
    press('try-again')
    expect(words()).toContain('Switching to Solana Devnet')
    expect(on.types().filter(type => type === 'network.switch')).toHaveLength(2)
    on.facts(refused(code))
    expect(words()).toBe(fact + text)
    press('modal-back')
    expect(title()).toBe('Choose network')
  })
})

test('a network that cannot be used: disconnecting leaves it', async () => {
  const on = await onAccount(...approving(devnet.caip2))
  press('network')
  fireEvent.click(await screen.findByTestId('disconnect'))
  expect(on.commands.at(-1)).toEqual({ type: 'connection.disconnect', data: { connectionId: 'c1' } })
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
  expect(screen.queryByTestId('modal')).toBeNull()
})

describe('a network that cannot be used is left by itself', () => {
  async function onUnsupported(...facts: CoreSideFact[]) {
    const on = await onAccount(...facts)
    press('network')
    await screen.findByTestId('disconnect')
    expect(title()).toBe('Switch network')
    return on
  }

  test('once another tab or the host switched', async () => {
    const on = await onUnsupported(...approving(devnet.caip2))
    on.facts({ type: 'network.switched', data: { caip2: devnet.caip2 } }, offered(devnet.caip2), identified(devnet))
    await waitFor(() => expect(on.store.model().screen.history).toEqual([{ name: 'Account' }]))
  })

  test('once the node serves the right chain; the modal closes if it was the first screen', async () => {
    const on = onStage({ config })
    on.facts(identified(), offered(), connected(), {
      type: 'network.mismatched',
      data: { expected: 'a', got: 'b' },
    })
    on.page({ type: 'screen.opened', data: { screen: { name: 'UnsupportedChain' } } })
    on.show(<Modal />)
    await screen.findByTestId('disconnect')
    on.facts(identified())
    await waitFor(() => expect(screen.queryByTestId('modal')).toBeNull())
  })

  test('but stays where a host opened it on a network that can be used', async () => {
    const on = await onAccount()
    on.page({ type: 'screen.shown', data: { screen: { name: 'UnsupportedChain' } } })
    await screen.findAllByTestId('network-row')
    expect(title()).toBe('Switch network')
  })
})

describe('the screen of an unsupported network opens by itself', () => {
  const lacking = approving(devnet.caip2)
  const updated = (chain: string, order: number): CoreSideFact => {
    const namespaces = { solana: { accounts: [`${chain}:a`], methods: [], events: [] } }
    return { type: 'session.updated', data: { sessionTopic: 's1', namespaces, order } }
  }

  function onPage({ basic = false, facts = [] }: { basic?: boolean; facts?: CoreSideFact[] } = {}) {
    const on = onStage({ config: { ...config, host: { recording: false, basic } } })
    on.facts(identified(), offered(), ...facts)
    on.show(<Modal />)
    return { ...on, shown: () => on.store.model().screen.history.map(({ name }) => name) }
  }

  test('with a wallet that lacks the network, and when a connected wallet loses it', () => {
    const on = onPage()
    on.facts(...lacking)
    expect(on.shown()).toEqual(['UnsupportedChain'])
    on.facts(updated(mainnet.caip2, 10))
    expect(on.shown()).toEqual([])
    on.facts(updated(devnet.caip2, 11))
    expect(on.shown()).toEqual(['UnsupportedChain'])
  })

  test('in place of the screen that connects', () => {
    const on = onPage()
    on.page(opened('Connect'))
    on.page({ type: 'screen.shown', data: { screen: { name: 'WalletConnect' } } })
    on.facts(...lacking)
    expect(on.shown()).toEqual(['UnsupportedChain'])
  })

  test('not for a wallet that was here before the page', () => {
    expect(onPage({ facts: lacking }).shown()).toEqual([])
  })

  test('not where WalletConnect’s code is all there is', () => {
    const on = onPage({ basic: true })
    on.facts(...lacking)
    expect(on.shown()).toEqual([])
  })

  test('not for a node that serves another chain', () => {
    const on = onPage({ facts: [connected()] })
    on.facts({ type: 'network.mismatched', data: { expected: 'a', got: 'b' } })
    expect(on.shown()).toEqual([])
  })

  test('not in a tab that is hidden', () => {
    const on = onPage()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    on.facts(...lacking)
    expect(on.shown()).toEqual([])
    vi.restoreAllMocks()
  })
})

test('a network whose node serves another chain says so', async () => {
  const on = await onAccount()
  on.facts({ type: 'network.mismatched', data: { expected: 'a', got: 'b' } })
  press('network')
  await screen.findByText('Solana cannot be used on this page now. Choose another network.')
})
