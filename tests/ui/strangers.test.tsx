// @vitest-environment happy-dom
/** Texts of strangers, read by the real readers and rendered. */
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { readAnnouncement } from '../../src/main/drivers/wallets/announced.ts'
import { walletFailure } from '../../src/main/drivers/wallets/walletErrors.ts'
import { Account } from '../../src/ui/account/Account.tsx'
import { AllWallets } from '../../src/ui/connect/list/AllWallets.tsx'
import { Connect } from '../../src/ui/connect/Connect.tsx'
import { readListing } from '../../src/worker/services/listing.ts'
import { readIncoming } from '../../src/worker/walletconnect/relay/incoming.ts'
import { hostileStrings, someHostile } from '../journeys/hostileStrings.ts'
import { smallWallet } from '../main/drivers/smallWallet.ts'
import { announced, connectedTorch, opened, read } from './modalStage.ts'
import { onStage } from './onStage.tsx'
import { traces, unseen } from './traces.ts'

afterEach(cleanup)

test('strangers: there are more than two hundred hostile texts, and almost all would leave a trace', () => {
  expect(new Set(hostileStrings).size).toBeGreaterThan(200)
  expect(hostileStrings.filter(text => unseen.test(text)).length).toBeGreaterThan(150)
})

test('strangers: names of announced wallets are plain text in the list', () => {
  const on = onStage()
  on.page(opened())
  const names = hostileStrings.flatMap(name => {
    try {
      return [readAnnouncement(smallWallet({ name }).wallet).name]
    } catch {
      return []
    }
  })
  expect(names.length).toBeGreaterThan(100)
  for (const [n, name] of names.entries()) on.page(announced(name, `k${n}`))
  on.show(<Connect />)
  expect(screen.getAllByTestId('wallet-row')).toHaveLength(names.length + 1)
  expect(traces()).toEqual([])
})

test('strangers: every field of listed wallets is plain text in the list and among all', () => {
  const entry = (text: string, n: number) => ({
    id: `w${n}`,
    name: text,
    image_id: text,
    homepage: text,
    mobile_link: text,
    desktop_link: text,
    rdns: text,
    badge_type: text,
  })
  const { wallets } = readListing({ count: 1, data: hostileStrings.map(entry) }, { entries: 1000 })
  expect(wallets.length).toBeGreaterThan(150)
  for (const Part of [Connect, AllWallets]) {
    const on = onStage()
    on.page(opened())
    on.facts({ type: 'listing.featuredRead', data: { wallets } }, ...read(wallets))
    on.show(<Part />)
    expect(screen.getAllByTestId('wallet-row').length).toBeGreaterThan(5)
    expect(traces()).toEqual([])
    cleanup()
  }
})

test('strangers: a peer’s name and address are plain text beside the account', () => {
  for (const text of someHostile) {
    const metadata = { name: text, description: text, url: `https://${text}`, icons: [text] }
    const params = {
      relay: { protocol: 'irn' },
      namespaces: { solana: { accounts: ['solana:x:a'], methods: [text], events: [text] } },
      controller: { publicKey: 'ab'.repeat(32), metadata },
      expiry: 1_800_000_000,
    }
    const message = JSON.stringify({ id: 7, jsonrpc: '2.0', method: 'wc_sessionSettle', params })
    const { payload } = readIncoming(message, { isSubscribed: () => false })
    if (!payload.peer) continue
    const { peer } = payload
    const [settled, made] = connectedTorch({ peer })
    if (made?.type !== 'connection.made' || !settled) throw new Error('the story expected a session and its connection')
    const on = onStage()
    on.facts(settled, { ...made, data: { ...made.data, peerName: peer.name } })
    on.show(<Account />)
    expect(document.body.textContent).toContain(peer.name)
    expect([text, traces()]).toEqual([text, []])
    expect(JSON.stringify(payload)).not.toMatch(unseen)
    cleanup()
  }
})

test('strangers: names of a peer’s methods and events are clean in the log', () => {
  for (const text of someHostile) {
    const event = { event: { name: text.replaceAll(/\s/g, ''), data: text }, chainId: text }
    for (const [method, params] of [
      [text, {}],
      ['wc_sessionEvent', event],
    ]) {
      const { payload } = readIncoming(JSON.stringify({ id: 7, jsonrpc: '2.0', method, params }))
      expect(JSON.stringify(payload)).not.toMatch(unseen)
    }
  }
})

test('strangers: a wallet’s error texts are not quoted', () => {
  for (const text of someHostile) {
    const thrown = [text, new Error(text), { message: text, name: text, code: text }, { code: 4001, message: text }]
    for (const cause of thrown) {
      const { message } = walletFailure('Quill', 'connect', cause)
      expect(message).toMatch(
        /^(?:the person declined in Quill|Quill is locked|Quill was asked to connect and failed)$/,
      )
    }
  }
})
