// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { CoreSideFact, PageFact } from '../../../src/events/app.ts'
import { emptyModel } from '../../../src/events/emptyModel.ts'
import { Account } from '../../../src/ui/account/Account.tsx'
import { resolveFeatures } from '../../../src/worker/services/project/features.ts'
import { networks } from '../../../src/events/values/networks.ts'
import { WalletCompatibleNetworks, WalletReceive } from '../../../src/ui/account/receive/Receive.tsx'
import { holdingsOf } from '../../../src/ui/account/holdings/holdings.ts'
import { exampleTerms } from '../../events/values/exampleTerms.ts'
import { account, announced, connected, connectedTorch, genesis } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

afterEach(cleanup)

const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const failure = { code: 'unreachable', message: 'no answer' } as const
const body = () => document.body.textContent

function open(over = {}) {
  const on = onStage(over)
  on.facts(connected())
  on.show(<Account />)
  return on
}
const held = (amounts: Record<string, string>, slot = 5) =>
  ({ type: 'balance.read', data: { account, slot, amounts } }) as const

test('account: without an account nothing is drawn', () => {
  const { container } = onStage().show(<Account />)
  expect(container.textContent).toBe('')
})

describe('the address', () => {
  test('is short to read, complete for a program, and copied by a press', async () => {
    const on = open()
    const address = screen.getByTestId('account-address')
    expect(address.textContent).toContain('2xiX…8C3f')
    expect(address.dataset.address).toBe(account)
    fireEvent.click(address)
    expect(on.copied).toEqual([account])
    await settle()
    expect(on.store.model().toast).toMatchObject({ variant: 'success', message: 'Address copied' })
  })

  test.each([
    ['refuses', async () => false],
    ['throws', () => Promise.reject(new Error('not allowed'))],
  ])('reports that the browser %s to copy', async (_, copy) => {
    const on = open({ copy })
    fireEvent.click(screen.getByTestId('account-address'))
    await settle()
    expect(on.store.model().toast).toMatchObject({ variant: 'error', message: 'The address was not copied' })
  })
})

describe('the balance', () => {
  test('is requested on entering and shimmers until it is known', () => {
    const on = open()
    expect(on.types()).toEqual(['balance.refresh'])
    expect(screen.getByTestId('balance').getAttribute('aria-busy')).toBe('true')
    expect(screen.getByTestId('balance').textContent).toBe('Reading the balance')
  })

  const read = (terms = exampleTerms()) =>
    ({ type: 'sale.termsRead', data: { terms, termsHash: 'hash', presaleRef: 'presale' } }) as const

  test('is floored to three decimals, with USD Coin in its own row', () => {
    const on = open()
    on.facts(read(), held({ USDC: '375000999', SOL: '12481999999' }))
    expect(screen.getByTestId('balance').textContent).toBe('12.481 SOL')
    expect(body()).toContain('USD Coin375.000 USDC')
  })

  test('of a token that is called USDC on an unproved chain stands beside its mint', () => {
    const on = open()
    const cluster = { name: 'localnet', genesisHash: account } as const
    on.facts(read(exampleTerms({ cluster })), held({ USDC: '375000999', SOL: '1' }))
    expect(body()).toContain('Mint EPjF…Dt1v375.000 USDC')
    expect(body()).not.toContain('USD Coin')
  })

  test('of nothing is 0.000 with a way to fill it, and an asset without an account has no row', () => {
    const on = open()
    on.facts(held({ SOL: '0' }))
    expect(screen.getByTestId('balance').textContent).toBe('0.000 SOL')
    expect(body()).toContain('This account has no SOL. Send some to its address.')
    expect(body()).not.toContain('USD Coin')
  })

  test('that is unknown is a dash with a retry, never 0', () => {
    const on = open()
    on.facts({ type: 'balance.failed', data: { account, failure } })
    expect(screen.getByTestId('balance').textContent).toBe('– SOL')
    expect(body()).toContain('The balance is not known.')
    fireEvent.click(screen.getByText('Retry'))
    expect(on.types()).toEqual(['balance.refresh', 'balance.refresh'])
    on.facts(held({ SOL: '1000000000' }))
    expect(screen.getByTestId('balance').textContent).toBe('1.000 SOL')
    expect(body()).not.toContain('has no SOL')
  })

  test('that is old stays with its age', () => {
    const on = open()
    on.facts(held({ SOL: '1000000000' }))
    on.clock.now += 125_000
    on.facts({ type: 'balance.failed', data: { account, failure } })
    expect(screen.getByTestId('balance').textContent).toBe('1.000 SOL')
    expect(body()).toContain('Read 2 min ago. May be out of date.')
  })

  test('of another account is not shown after a switch', () => {
    const on = open()
    on.facts(held({ SOL: '1000000000' }))
    on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: ['other'] } })
    expect(screen.getByTestId('balance').textContent).toBe('Reading the balance')
    expect(on.types()).toEqual(['balance.refresh', 'balance.refresh'])
  })

  test('leaves out an asset with unknown decimals, and puts SOL first', () => {
    const model = emptyModel()
    model.balance[account] = { amounts: { USDC: '1', XYZ: '7', SOL: '123456789' }, slot: 1, readAt: 1 }
    expect(holdingsOf('en', model, account)?.map(({ symbol, figure }) => `${figure} ${symbol}`)).toEqual([
      '0.123 SOL',
      '0.000 USDC',
    ])
  })
})

test('account: the explorer is offered once the network is known, for this account, in a new tab', () => {
  const on = open()
  expect(screen.queryByText('View on explorer')).toBeNull()
  on.facts({ type: 'network.identified', data: { genesisHash: genesis, caip2: 'x' } })
  const link = screen.getByText('View on explorer').closest('a')
  expect(link?.href).toBe(`https://solscan.io/account/${account}`)
  expect(link?.target).toBe('_blank')
})

test('account: Send opens its form, and is not there where the host turned it off', () => {
  const on = open()
  fireEvent.click(screen.getByTestId('send'))
  expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'WalletSend' } } })
  const { features } = resolveFeatures({ send: false }, 'unasked')
  on.facts({ type: 'project.resolved', data: { by: 'boot', features, ignored: [] } })
  expect(screen.queryByTestId('send')).toBeNull()
})

test.each([
  [{}, ['receive', 'send', 'activity'], ['Tokens', 'Activity']],
  [
    { walletFeaturesOrder: ['send' as const, 'swaps' as const] },
    ['send', 'receive', 'activity'],
    ['Tokens', 'Activity'],
  ],
  [{ receive: false, activity: false }, ['send'], ['Tokens']],
  [{ receive: false, activity: false, send: false }, [], ['Tokens']],
])('account: its ways and tabs with the features %j', (host, ways, tabs) => {
  const on = open()
  const { features } = resolveFeatures(host, 'unasked')
  on.facts({ type: 'project.resolved', data: { by: 'boot', features, ignored: [] } })
  const shown = [...document.querySelectorAll<HTMLElement>('.account-action')].map(({ dataset }) => dataset.testid)
  expect(shown).toEqual(ways)
  expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(tabs)
})

test('account: a later word of the host changes its ways and tabs at once', () => {
  const on = open()
  const { features } = resolveFeatures({ send: false }, 'unasked')
  on.facts({ type: 'project.resolved', data: { by: 'boot', features, ignored: [] } })
  on.page({ type: 'tab.featured', data: { features: {}, account: { send: true, activity: false } } })
  expect(screen.queryByTestId('send')).not.toBeNull()
  expect(screen.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Tokens'])
})

test('account: disconnecting is requested once and shows its progress', () => {
  const on = open()
  expect(screen.getByTestId('disconnect').textContent).toBe('DisconnectPhantom')
  fireEvent.click(screen.getByTestId('disconnect'))
  fireEvent.click(screen.getByTestId('disconnect'))
  expect(on.commands.filter(command => command.type === 'connection.disconnect')).toEqual([
    { type: 'connection.disconnect', data: { connectionId: 'c1' } },
  ])
  expect(screen.getByTestId('disconnect').textContent).toBe('DisconnectingPhantom')
})

describe('a connection of an earlier visit', () => {
  test('shows that it is being restored', () => {
    const on = open()
    on.facts({ type: 'connection.restoring', data: { connectionId: 'c1' } })
    expect(body()).toContain('Waiting for Phantom. Until it is here you can look, but not pay.')
    on.facts({
      type: 'connection.restored',
      data: { connectionId: 'c1', accounts: [account], features: ['signTransaction'] },
    })
    expect(body()).not.toContain('Waiting for')
  })

  test('without its wallet names it, and leads to another one', () => {
    const on = open()
    on.facts({ type: 'connection.missing', data: { connectionId: 'c1', failure } })
    expect(body()).toContain('Phantom is not in this browser now. You can look, but not pay.')
    expect(screen.queryByText('Connect again')).toBeNull()
    fireEvent.click(screen.getByText('Connect another wallet'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
  })

  test('over the relay with an unloadable client says so, and a press retries', () => {
    const on = onStage()
    const { type, data } = connected('Lantern') as Extract<CoreSideFact, { type: 'connection.made' }>
    on.facts({ type, data: { ...data, connector: 'walletConnect', sessionTopic: 's1' } })
    on.show(<Account />)
    on.facts({ type: 'connection.missing', data: { connectionId: 'c1', failure } })
    expect(body()).toContain('Lantern cannot be reached: a part of this page could not be loaded.')
    expect(screen.queryByText('Reload the page')).not.toBeNull()
    fireEvent.click(screen.getByTestId('reach-again'))
    expect(on.commands.at(-1)).toEqual({ type: 'connection.retry', data: { connectionId: 'c1' } })
    on.facts({ type: 'network.offline', data: {} })
    expect(body()).toContain('You are offline, so Lantern cannot be reached.')
  })

  test('with its wallet but without access reconnects in one press', () => {
    const on = open()
    on.page(announced('Phantom'))
    on.facts({ type: 'connection.missing', data: { connectionId: 'c1', failure } })
    expect(body()).toContain('Phantom did not give access again.')
    fireEvent.click(screen.getByText('Connect again'))
    expect(on.said.at(-1)).toMatchObject({ type: 'screen.shown', data: { screen: { name: 'ConnectingInstalled' } } })
    expect(on.commands.at(-1)).toEqual({
      type: 'connection.connectInstalled',
      data: { walletKey: 'key-Phantom', wallet: { walletId: 'Phantom', name: 'Phantom' } },
    })
  })

  describe('with several wallets of its name', () => {
    const named = (walletKey: string, identity: string): PageFact => {
      const { type, data } = announced('Phantom', walletKey, true) as Extract<PageFact, { type: 'installed.announced' }>
      return { type, data: { ...data, identity } }
    }
    function missing(...wallets: PageFact[]) {
      const on = onStage()
      const { type, data } = connected('Phantom') as Extract<CoreSideFact, { type: 'connection.made' }>
      on.facts({ type, data: { ...data, identity: 'i1' } })
      on.show(<Account />)
      on.page(...wallets)
      on.facts({ type: 'connection.missing', data: { connectionId: 'c1', failure } })
      fireEvent.click(screen.getByText('Connect again'))
      return on
    }

    test('asks for a choice, and a press uses the one with the recorded picture, in any order', () => {
      const on = missing(named('spoof', 'i2'), named('own', 'i1'))
      expect(body()).toContain('Another wallet here is named like Phantom. Connect again to choose yours.')
      expect(on.commands.at(-1)).toMatchObject({ type: 'connection.connectInstalled', data: { walletKey: 'own' } })
    })

    test.each([
      ['two have that picture', [named('copy', 'i1'), named('own', 'i1')]],
      ['none has it', [named('spoof', 'i2')]],
    ])('a press leads to the list when %s', (_, wallets) => {
      const on = missing(...wallets)
      expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
      expect(on.types()).not.toContain('connection.connectInstalled')
    })
  })
})

describe('the origin of a wallet’s messages', () => {
  const shown = (said: Parameters<typeof connectedTorch>[0]) => {
    const on = onStage()
    on.facts(...connectedTorch(said))
    on.show(<Account />)
    return on
  }
  const text = () => document.querySelector('.origin')?.textContent

  test.each([undefined, 'UNKNOWN'] as const)('is not shown while unknown (%s)', validation => {
    shown(validation && { validation })
    expect(text()).toBeUndefined()
  })

  test('is the host of the wallet’s own page when they agree', () => {
    shown({ validation: 'VALID' })
    expect(text()).toBe('From torch.example. Its messages come from the page it names.')
    cleanup()
    shown({ validation: 'VALID', transport: 'link' })
    expect(text()).toBe('From torch.example. Its link leads to the page it names.')
  })

  test('is a warning when it is another, also once that turns out later', () => {
    const on = shown({ validation: 'VALID' })
    on.facts({ type: 'session.verified', data: { sessionTopic: 's1', validation: 'INVALID' } })
    expect(text()).toBe(
      'Not from torch.example. Torch names that page, but its messages come from elsewhere. Pay only if you know this wallet.',
    )
    expect(document.querySelector('.origin')?.classList.contains('is-warn')).toBe(true)
    on.facts({ type: 'session.switched', data: { sessionTopic: 's1', transport: 'link' } })
    expect(text()).toContain('but its link leads elsewhere')
  })

  test('is called fraud when the service knows it as fraud', () => {
    const on = shown({ validation: 'VALID' })
    on.facts({ type: 'session.verified', data: { sessionTopic: 's1', validation: 'THREAT' } })
    expect(text()).toBe(
      'Known for fraud. Torch’s messages come from a page that the verify service lists as a scam. Do not pay with this wallet.',
    )
    expect(document.querySelector('.origin')?.classList.contains('is-bad')).toBe(true)
  })

  test('is shown for a wallet without a page, and a look-alike is spelt out', () => {
    const peer = { name: 'Torch', description: '', icons: [] }
    shown({ validation: 'INVALID', peer: { ...peer, url: 'javascript:alert(1)' } })
    expect(text()).toBe('Not from a page it names. Torch names no page of its own. Pay only if you know this wallet.')
    cleanup()
    shown({ validation: 'VALID', peer: { ...peer, url: 'https://t\u043erch.example' } })
    expect(text()).toContain('From xn--trch-55d.example.')
  })

  test('is the active wallet’s', () => {
    const on = shown({ validation: 'VALID' })
    on.facts(connected('Solflare', 'c2'))
    expect(text()).toBeUndefined()
    on.facts({ type: 'connection.activated', data: { connectionId: 'c1' } })
    expect(text()).toContain('From torch.example.')
  })
})

test('account: its wallet leads to all of them, and says how many there are', () => {
  const on = open()
  expect(screen.getByTestId('wallets').textContent).toBe('PPhantomWallets')
  on.facts(connected('Solflare', 'c2'))
  expect(screen.getByTestId('wallets').textContent).toBe('SSolflare2 wallets connected')
  fireEvent.click(screen.getByTestId('wallets'))
  expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'ProfileWallets' } } })
})

describe('receiving', () => {
  const receive = () => {
    const on = onStage()
    on.facts(connected(), { type: 'network.identified', data: { genesisHash: devnet, caip2: 'solana:x' } })
    on.show(<WalletReceive />)
    return on
  }

  test('is one press away from the account', () => {
    const on = open()
    fireEvent.click(screen.getByTestId('receive'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })
  })

  test('shows the whole address as code and text, and copies it', async () => {
    const on = receive()
    expect(screen.getByTestId('receive-address').textContent).toBe(account)
    expect(await screen.findByRole('img', { name: `QR code of your address ${account}` })).toBeTruthy()
    fireEvent.click(screen.getByTestId('copy-address'))
    expect(on.copied).toEqual([account])
    await settle()
    expect(on.store.model().toast).toMatchObject({ variant: 'success', message: 'Address copied' })
  })

  test('names its network, and leads to the warning about others', () => {
    const on = receive()
    expect(screen.getByTestId('receive-networks').textContent).toContain('Solana Devnet')
    fireEvent.click(screen.getByTestId('receive-networks'))
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: { screen: { name: 'WalletCompatibleNetworks' } } })
    cleanup()
    on.show(<WalletCompatibleNetworks />)
    expect(body()).toContain('Tokens sent from another network are lost.')
  })

  test('marks up to five of the networks that are offered, and lists all that the wallet approved', () => {
    const on = receive()
    const named = networks.map(({ caip2 }) => caip2)
    const [mainnet = '', , second = ''] = named
    const offer = (...more: string[]): CoreSideFact => ({
      type: 'network.offered',
      data: { home: mainnet, active: mainnet, networks: [...named, ...more] },
    })
    on.facts(offer())
    const row = () => screen.getByTestId('receive-networks')
    expect(row().textContent).toBe('SolanaSend only tokens of these networks here')
    expect(row().querySelectorAll('.logo')).toHaveLength(named.length)
    on.facts(offer('solana:a', 'solana:b', 'solana:c', 'solana:d'))
    expect(row().querySelectorAll('.logo')).toHaveLength(5)
    cleanup()

    on.show(<WalletCompatibleNetworks />)
    const rows = () => [...document.querySelectorAll('.row-name')].map(one => one.textContent)
    expect(rows()).toHaveLength(named.length + 4)
    expect(rows()[0]).toBe('Solana')
    expect(body()).toContain('Only these networks. Tokens sent from another network are lost.')
    expect(screen.queryAllByRole('button')).toEqual([])
    const namespaces = { solana: { accounts: [`${second}:a`], methods: [], events: [] } }
    cleanup()
    const limited = onStage()
    limited.facts(...connectedTorch({ namespaces }), offer())
    limited.show(<WalletCompatibleNetworks />)
    expect(rows()).toEqual(['Solana', networks[2]?.name])
  })

  test('names no network before it is known', () => {
    const on = onStage()
    on.facts(connected())
    on.show(<WalletReceive />)
    expect(screen.getByTestId('receive-networks').textContent).toBe('Send only tokens of this network here')
    cleanup()
    on.show(<WalletCompatibleNetworks />)
    expect(body()).toBe('Only this network. Tokens sent from another network are lost.')
  })

  test('without an account draws nothing', () => {
    const { container } = onStage().show(<WalletReceive />)
    expect(container.textContent).toBe('')
  })
})
