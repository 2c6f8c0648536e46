// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CoreSideFact } from '../../../src/events/app.ts'
import { presale } from '../../../src/main/page/presale.ts'
import { Modal } from '../../../src/ui/modal/Modal.tsx'
import { useNavigation } from '../../../src/ui/modal/useNavigation.ts'
import { accountAhead } from '../../../src/ui/modal/screens.tsx'
import { account, announced, connected, failed, opened, paired, requested } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'
import { noticeRef, terms, termsHash } from '../presale/story.ts'

beforeAll(accountAhead)
afterEach(cleanup)

const title = () => screen.getByTestId('modal-title').textContent
const press = (testId: string) => fireEvent.click(screen.getByTestId(testId))
const row = (name: string) =>
  screen.getAllByTestId('wallet-row').find(one => one.dataset.wallet === name) as HTMLElement

function open(over = {}) {
  const on = onStage(over)
  on.page(announced('Phantom'), opened())
  on.show(<Modal />)
  return on
}

describe('the header', () => {
  test('of a switch to a host’s own network has the host’s name for it', async () => {
    const caip2 = 'solana:11111111111111111111111111111111'
    const on = open()
    Object.assign(on.surroundings.config, { networks: [{ caip2, name: 'Acme Net', rpcUrl: 'https://acme.example' }] })
    on.page({ type: 'screen.shown', data: { screen: { name: 'SwitchNetwork', caip2 } } })
    await settle()
    expect(title()).toBe('Acme Net')
  })

  test('of a first screen has no way back; Connect leads to the explanation of wallets', () => {
    open()
    expect(title()).toBe('Connect wallet')
    expect(screen.queryByTestId('modal-back')).toBeNull()
    fireEvent.click(screen.getByLabelText('What is a wallet?'))
    expect(title()).toBe('What is a wallet?')
    fireEvent.click(screen.getByText('Get a wallet'))
    expect(title()).toBe('Get a wallet')
    press('modal-back')
    press('modal-back')
    expect(title()).toBe('Connect wallet')
  })

  test('a connecting screen is named for its wallet', () => {
    open()
    fireEvent.click(row('Phantom'))
    expect(title()).toBe('Phantom')
    press('modal-back')
    fireEvent.click(row('WalletConnect'))
    expect(title()).toBe('WalletConnect')
  })

  test('of the account screen is for screen readers, and shows the network', () => {
    const on = onStage()
    on.facts(connected())
    on.page(opened('Account'))
    on.show(<Modal />)
    expect(screen.getByTestId('modal').getAttribute('aria-label')).toBe('Account')
    expect(screen.queryByTestId('network')).toBeNull()
    on.facts({
      type: 'network.identified',
      data: { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', caip2: 'x' },
    })
    expect(screen.getByTestId('network').textContent).toBe('Solana')
  })
})

describe('closing', () => {
  test('Close, Escape and the overlay close it', () => {
    const on = open()
    press('modal-close')
    expect(screen.queryByTestId('modal')).toBeNull()
    on.page(opened())
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(screen.queryByTestId('modal')).toBeNull()
    on.page(opened())
    const overlay = screen.getByTestId('modal').parentElement as HTMLElement
    fireEvent.pointerDown(overlay)
    fireEvent.click(overlay)
    expect(screen.queryByTestId('modal')).toBeNull()
    expect(on.types()).not.toContain('connection.abandon')
  })

  test('while a wallet is asked abandons the attempt, so that a late answer connects nothing', () => {
    const on = open()
    fireEvent.click(row('Phantom'))
    on.facts(requested('installed', 'Phantom'))
    press('modal-close')
    expect(on.types().at(-1)).toBe('connection.abandon')
    expect(on.store.model().screen.open).toBe(false)
  })

  test('returns the focus to the control that opened it', () => {
    const button = document.createElement('button')
    document.body.append(button)
    button.focus()
    const on = open()
    expect(document.activeElement).toBe(screen.getByTestId('modal'))
    press('modal-close')
    expect(document.activeElement).toBe(button)
    button.remove()
    expect(on.store.model().screen.history).toEqual([])
  })

  test('does not follow a refused connection', () => {
    const on = open()
    fireEvent.click(row('Phantom'))
    on.facts(requested('installed', 'Phantom'), failed('user_rejected'))
    expect(title()).toBe('Phantom')
    expect(screen.getByText('You declined')).toBeTruthy()
  })
})

describe('a screen that has to be answered', () => {
  function Asked() {
    const { close } = useNavigation({ name: 'Connect' })
    return (
      <button type="button" onClick={close}>
        Leave
      </button>
    )
  }
  const stay = { type: 'screen.opened', data: { screen: { name: 'UnsupportedChain' as 'Account' } } } as const

  test('refuses to close, once for each shake, and another opening closes again', () => {
    const on = onStage()
    on.facts(connected())
    on.page(stay)
    on.show(<Asked />)
    const leave = () => fireEvent.click(screen.getByText('Leave'))
    leave()
    on.clock.now += 499
    leave()
    expect(on.store.model().screen).toMatchObject({ open: true, shakes: 1 })
    on.clock.now += 1
    leave()
    expect(on.store.model().screen.shakes).toBe(2)
    expect(on.names().filter(name => name === 'screen.refused')).toHaveLength(2)
    on.page(opened())
    leave()
    expect(on.store.model().screen.open).toBe(false)
  })
})

describe('the modal’s own closing', () => {
  test.each(['Phantom', 'WalletConnect'])('follows a new connection through %s', name => {
    const on = open()
    fireEvent.click(row(name))
    on.facts(connected())
    expect(screen.queryByTestId('modal')).toBeNull()
    expect(on.types()).not.toContain('connection.abandon')
  })

  test('follows a late approval after the person went back to the list', () => {
    const on = open()
    fireEvent.click(row('Phantom'))
    on.facts(requested('installed', 'Phantom'))
    press('modal-back')
    expect(on.types()).not.toContain('connection.abandon')
    on.facts(connected())
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('follows the end of the account screen’s connection, not a change of its account', () => {
    const on = onStage()
    on.facts(connected())
    on.page(opened('Account'))
    on.show(<Modal />)
    on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: ['other', account] } })
    expect(screen.getByTestId('account-address').dataset.address).toBe('other')
    on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'wallet' } })
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('follows the end of a connection on a screen behind the account’s, too', () => {
    const on = onStage()
    on.facts(connected())
    on.page(opened('Account'), { type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })
    on.show(<Modal />)
    expect(title()).toBe('Receive')
    on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'wallet' } })
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('follows the repair of a connection without access', () => {
    const on = onStage()
    on.facts(connected(), {
      type: 'connection.missing',
      data: { connectionId: 'c1', failure: { code: 'wallet_gone', message: 'not here' } },
    })
    on.page(announced('Phantom'), opened('Account'))
    on.show(<Modal />)
    fireEvent.click(screen.getByText('Connect again'))
    expect(title()).toBe('Phantom')
    on.clock.now += 1000
    on.facts(connected())
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('waits while an earlier connection is restored, and follows it once it can sign', () => {
    const on = onStage()
    on.page(opened())
    on.show(<Modal />)
    on.facts(connected(), { type: 'connection.restoring', data: { connectionId: 'c1' } })
    // Attached anew, the page sees the connection for the first time as it is now
    cleanup()
    on.page(opened())
    on.show(<Modal />)
    expect(title()).toBe('Connect wallet')
    on.facts({
      type: 'connection.restored',
      data: { connectionId: 'c1', accounts: [account], features: ['signTransaction'] },
    })
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('follows an account screen without an account at once', () => {
    const on = onStage()
    on.page(opened('Account'))
    on.show(<Modal />)
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('waits, on a screen opened while connected, for another wallet, then shows them all', () => {
    const on = onStage()
    on.facts(connected())
    on.page(opened())
    on.show(<Modal />)
    expect(title()).toBe('Connect wallet')
    on.clock.now += 1000
    on.facts(connected('Solflare', 'c2'))
    expect(title()).toBe('Wallets')
    expect(on.store.model().toast).toMatchObject({ variant: 'success', message: 'New wallet added' })
    expect(screen.getAllByRole('listitem').map(one => one.textContent)).toEqual([
      'SSolflare2xiX…8C3fActive',
      'PPhantom2xiX…8C3f',
    ])
  })

  test('leads back from a second wallet that declined to the list, and from the list to the wallets', async () => {
    const on = onStage()
    on.facts(connected())
    on.page(announced('Solflare'), { type: 'screen.opened', data: { screen: { name: 'ProfileWallets' } } })
    on.show(<Modal />)
    await settle()
    press('another-wallet')
    fireEvent.click(row('Solflare'))
    on.facts(requested('installed', 'Solflare'), failed('user_rejected'))
    expect(screen.getByText('You declined')).toBeTruthy()
    press('modal-back')
    expect(title()).toBe('Connect wallet')
    expect(row('Solflare')).toBeTruthy()
    press('modal-back')
    expect(title()).toBe('Wallets')
  })

  test('leads back from a second wallet to the account where the list was the first screen', () => {
    const on = onStage()
    on.facts(connected())
    on.page(announced('Solflare'), opened())
    on.show(<Modal />)
    fireEvent.click(row('Solflare'))
    on.facts(requested('installed', 'Solflare'), failed('user_rejected'))
    press('modal-back')
    expect(screen.getByTestId('modal').getAttribute('aria-label')).toBe('Account')
  })

  test('does not follow another tab’s switch to another wallet, or the end of one', () => {
    const on = onStage()
    on.facts(connected())
    on.clock.now += 1000
    on.facts(connected('Solflare', 'c2'))
    on.page(opened())
    on.show(<Modal />)
    on.facts({ type: 'connection.activated', data: { connectionId: 'c1' } })
    on.facts({ type: 'connection.ended', data: { connectionId: 'c2', by: 'person' } })
    expect(title()).toBe('Connect wallet')
  })

  test('follows the same wallet’s second connection as the first', () => {
    const on = onStage()
    on.facts(connected())
    on.page(opened())
    on.show(<Modal />)
    on.clock.now += 1000
    on.facts(connected())
    expect(screen.queryByTestId('modal')).toBeNull()
  })
})

describe('going back', () => {
  test('leads to the screen before, and drops a failure with its screen', () => {
    const on = open()
    fireEvent.click(row('Phantom'))
    on.facts(requested('installed', 'Phantom'), failed('wallet_gone'))
    press('modal-back')
    expect(title()).toBe('Connect wallet')
    expect(on.types()).toContain('connection.abandon')
  })

  test('to Connect while an account is there leads to the account', () => {
    const on = onStage()
    on.facts(connected())
    on.page(opened(), { type: 'screen.shown', data: { screen: { name: 'WhatIsAWallet' } } })
    on.show(<Modal />)
    press('modal-back')
    expect(screen.getByTestId('modal').getAttribute('aria-label')).toBe('Account')
    expect(screen.queryByTestId('modal-back')).toBeNull()
  })

  test('from a code keeps the code, so that coming again requests no other', async () => {
    const on = open()
    fireEvent.click(row('WalletConnect'))
    on.facts(requested('walletConnect', 'WalletConnect', 'walletConnect'), paired('topic1'))
    await settle()
    press('modal-back')
    fireEvent.click(row('WalletConnect'))
    await settle()
    expect(on.types().filter(type => type === 'connection.connectWalletConnect')).toHaveLength(1)
  })
})

describe('notices and the footer', () => {
  test('show a notice in the modal for 2.5 s', () => {
    vi.useFakeTimers()
    const on = open()
    on.page({
      type: 'toast.shown',
      data: { toastId: 't1', variant: 'success', message: 'Address copied', autoClose: true },
    })
    expect(screen.getByTestId('toast').textContent).toBe('Address copied')
    act(() => {
      vi.advanceTimersByTime(2500)
    })
    vi.useRealTimers()
    expect(on.store.model().toast).toBeNull()
  })

  test('name in Connect’s footer the consequences of connecting, and the file of a saved report', async () => {
    const on = open()
    const modal = screen.getByTestId('modal')
    expect(modal.textContent).toContain('By connecting you agree to the terms and privacy notice.')
    expect(modal.textContent).toContain('Something wrong? Download a problem report')
    expect(modal.textContent).toContain('A payment can still be found by its time')
    expect(screen.getByText('terms').getAttribute('href')).toBe('https://mai.example/terms')
    expect(screen.getByText('terms').getAttribute('rel')).toContain('noopener')
    fireEvent.click(screen.getByText('Download a problem report'))
    expect(on.saved.count).toBe(1)
    await settle()
    expect(on.store.model().toast?.message).toBe('Saved report.replay.jsonl')
  })

  /** The terms name a document on one origin; the copy whose hash was compared stands on another. */
  const named = 'https://elsewhere.example/terms.html'
  const compared = 'https://sale.example/terms.html'
  const ofSale = { ...terms, legal: { ...terms.legal, url: named } }
  const reading: CoreSideFact = {
    type: 'sale.termsRead',
    data: { terms: ofSale, termsHash, noticeRef, presaleRef: noticeRef },
  }
  const documentRead: CoreSideFact = { type: 'sale.legalRead', data: { sha256: terms.legal.sha256, url: compared } }
  const legal = () => [...document.querySelectorAll('.sheet-foot a')].map(link => link.getAttribute('href'))
  const addresses = { termsUrl: 'https://sale.example/terms.json', solanaRpcUrl: 'https://rpc.example' }
  const ours = () => ({ config: presale(addresses as Parameters<typeof presale>[0]).ui })

  test('link the terms document on our page once its hash was compared, where it was read', () => {
    const on = open(ours())
    on.facts(reading)
    expect([legal(), document.querySelector('.sheet-foot')?.textContent?.includes('agree')]).toEqual([[], false])
    on.facts({ type: 'sale.legalFailed', data: { failure: { code: 'terms_invalid', message: '' } } })
    expect(legal()).toEqual([])
    on.facts(documentRead)
    expect(legal()).toEqual([compared])
  })

  test('name both documents in their place on our page until they are read, without a link', () => {
    const on = open({ config: { ...ours().config, sale: { authority: terms.authority, id: terms.id } } })
    const foot = () => document.querySelector('.sheet-foot')?.textContent
    expect(foot()).toContain('you agree to the terms and privacy notice')
    expect(legal()).toEqual([])
    on.facts(reading, documentRead, { type: 'sale.read', data: { slot: 1, chainTime: 0, balances: {} } })
    expect(legal()).toEqual([compared])
    expect(foot()).not.toContain('privacy')
  })

  test('link the privacy notice on our page that the published content names', () => {
    const privacy = 'https://sale.example/privacy-2027.html'
    const on = open(ours())
    on.facts(reading, documentRead)
    on.facts({
      type: 'sale.contentRead',
      data: { content: { questions: [], links: [{ name: 'Privacy', url: privacy }] } },
    })
    expect(legal()).toEqual([compared, privacy])
    expect(document.querySelector('.sheet-foot')?.textContent).toContain('terms and privacy notice')
  })

  test('link nothing but the host’s documents in a host’s page', () => {
    const config = { appName: 'Host', privacyUrl: '', solanaRpcUrl: '', allWallets: 'SHOW', featured: [] } as const
    const host = { recording: false }
    const inHost = (termsUrl: string) =>
      open({ config: { ...config, featured: [], termsUrl, host } }).facts(reading, documentRead)
    inHost('https://host.example/terms')
    expect(legal()).toEqual(['https://host.example/terms'])
    cleanup()
    inHost('')
    expect([legal(), document.querySelector('.sheet-foot')?.textContent]).toEqual([[], ''])
  })

  test('say why the service refuses the project, and go on', async () => {
    const on = open()
    const note = () => [...document.querySelectorAll('.sheet-foot [role=status]')].map(one => one.textContent)
    expect(note()).toEqual([])
    const detail = 'HTTP status code: 503'
    on.facts({ type: 'project.refused', data: { code: 'APKT009', title: 'Server Error', detail } })
    expect(note()).toEqual(['Server Error (APKT009): HTTP status code: 503'])
    on.facts({ type: 'project.refused', data: { code: 'APKT010', title: 'Rate Limited' } })
    expect(note()).toEqual(['Rate Limited (APKT010)'])
    expect(screen.getAllByTestId('wallet-row').length).toBeGreaterThan(0)
  })

  test('alert developers to it where debug is on, until they dismiss it', async () => {
    const config = { appName: 'Host', termsUrl: '', privacyUrl: '', solanaRpcUrl: '', featured: [] }
    const withDebug = (debug: boolean) =>
      open({ config: { ...config, allWallets: 'SHOW', host: { recording: false, debug } } })
    const problem = { type: 'project.refused', data: { code: 'APKT007', title: 'Invalid Project ID' } } as const
    withDebug(false).facts(problem)
    await settle()
    expect(screen.queryByTestId('alert')).toBeNull()
    cleanup()

    const on = withDebug(true)
    await settle()
    expect(screen.queryByTestId('alert')).toBeNull()
    on.facts(problem)
    const words = 'Invalid Project IDAPKT007 Set projectId to the id of a project. Shown because debug is on.'
    expect(screen.getByTestId('alert').textContent).toBe(words)
    fireEvent.click(screen.getByTestId('alert-dismiss'))
    expect(screen.queryByTestId('alert')).toBeNull()
    on.facts({ type: 'project.refused', data: { code: 'APKT010', title: 'Rate Limited' } })
    expect(screen.getByTestId('alert').textContent).toContain('APKT010')
    cleanup()

    const relay = withDebug(true)
    await settle()
    const failure = { code: 'unauthorized', message: 'no', facts: { objection: 'token' } } as const
    relay.facts({ type: 'relay.refused', data: { failure } })
    expect(screen.getByTestId('alert').textContent).toContain('Session ExpiredAPKT006')
  })

  test('have the project’s configuration read by the first opening alone', async () => {
    const on = open()
    expect(on.types()).toContain('project.open')
    on.facts({ type: 'project.asked', data: {} })
    const before = on.types().filter(type => type === 'project.open').length
    on.page({ type: 'screen.closed', data: {} }, opened())
    expect(on.types().filter(type => type === 'project.open')).toHaveLength(before)
  })

  test('report a recording that cannot be saved', async () => {
    const on = open({ saveRecording: () => Promise.reject(new Error('no room')) })
    fireEvent.click(screen.getByText('Download a problem report'))
    await settle()
    expect(on.store.model().toast?.message).toBe('The report could not be saved')
  })

  test('modal: no inline style is rendered but measured lengths', () => {
    // As custom properties they would restyle all that inherits them
    const measured = /^(--.*|padding-block.*|height)$/
    open()
    fireEvent.click(screen.getByTestId('all-wallets-row'))
    const styled = [...document.querySelectorAll<HTMLElement>('body [style]')].filter(one =>
      Array.from(one.style, (_, at) => one.style.item(at)).some(property => !measured.test(property)),
    )
    expect(styled).toEqual([])
  })
})
