import { describe, expect, test } from 'vitest'
import { copyOf } from '../../../../src/runtime/json/copyOf.ts'
import { readHistory } from '../../../../src/worker/services/blockchain/history.ts'
import { mainnet, received, solanaAddress } from './examples.ts'

const page = (data: unknown[], next: unknown = null, chainId: string | undefined = mainnet) =>
  readHistory(copyOf({ data, next }), 'the history', { chainId })
const one = (change: object) => page([{ ...received, ...change }])
const metadata = (change: object) => one({ metadata: { ...received.metadata, ...change } })
const [transfer] = received.transfers
const nft = (isSpam: boolean, preview?: unknown) => ({
  direction: 'in',
  quantity: { numeric: '1' },
  fungible_info: null,
  nft_info: { name: 'Ape', content: { preview }, flags: { is_spam: isSpam } },
})

describe('a page of the history', () => {
  test('keeps the transaction of the reference', () => {
    expect(page([received], '2')).toEqual({
      data: [
        {
          id: received.id,
          operation: 'receive',
          hash: '5h3k',
          minedAt: Date.UTC(2026, 4, 28, 16, 59, 37, 345),
          sentFrom: '7ar3r6Mau1Bk7pGLWHCMj1C1bk2eCDwGWTP77j9MXTtd',
          sentTo: solanaAddress,
          status: 'confirmed',
          chain: mainnet,
          isSpam: false,
          transfers: [
            {
              direction: 'in',
              quantity: '25.5',
              value: '25.5',
              price: '1',
              token: { name: 'USD Coin', symbol: 'USDC', iconUrl: 'https://example.org/usdc.png' },
            },
          ],
        },
      ],
      dropped: 0,
      next: '2',
    })
  })

  test('takes no transfers for an empty list, and that for no spam', () => {
    const { data } = one({ transfers: null })
    expect(data[0]).toMatchObject({ transfers: [], isSpam: false })
  })

  test.each([
    ['all', [nft(true), nft(true)], true],
    ['some', [nft(true), nft(false)], false],
    ['one of them a token', [nft(true), transfer], false],
  ])('marks spam when %s of the transfers are flagged', (_name, transfers, isSpam) => {
    expect(one({ transfers }).data[0]?.isSpam).toBe(isSpam)
  })

  test('keeps a picture only over https', () => {
    const kept = one({ transfers: [nft(false, { url: 'https://x.example/a.png' }), nft(false, { url: 'ipfs://a' })] })
    expect(kept.data[0]?.transfers.map(({ nft: found }) => found?.imageUrl)).toEqual(['https://x.example/a.png', ''])
  })

  test('leaves out another chain without counting it, and keeps one that is not named', () => {
    const chains = ['eip155:1', null, mainnet].map(chain => ({
      ...received,
      metadata: { ...received.metadata, chain },
    }))
    const { data, dropped } = page(chains)
    expect([data.map(({ chain }) => chain), dropped]).toEqual([[null, mainnet], 0])
    expect(readHistory({ data: chains }, 'the history', {}).data).toHaveLength(3)
  })

  test.each([[null], [''], [undefined]])('is the last one when the next is %j', next => {
    expect(page([], next)).not.toHaveProperty('next')
  })

  test.each([[7], ['a b'], ['x'.repeat(2049)], ['\u202e']])('with the next page %j is refused', next => {
    expect(() => page([], next)).toThrow(expect.objectContaining({ code: 'bad_response' }))
  })

  test.each([
    ['no id', one({ id: '' })],
    ['a time that is none', metadata({ minedAt: 'yesterday' })],
    ['a time before 1970', metadata({ minedAt: '0026-05-28T16:59:37Z' })],
    ['a time as a number', metadata({ minedAt: 1_780_000_000_000 })],
    ['an unknown status', metadata({ status: 'done' })],
    ['the status of a prototype', metadata({ status: 'constructor' })],
    ['markup for an address', metadata({ sentTo: '<b>' })],
    ['a malformed transfer', one({ transfers: [transfer, { ...transfer, direction: 'up' }] })],
    ['a negative amount', one({ transfers: [{ ...transfer, quantity: { numeric: '-1' } }] })],
    ['no list of transfers', one({ transfers: {} })],
  ])('drops and counts a transaction with %s', (_name, read) => {
    expect(read).toEqual({ data: [], dropped: 1 })
  })

  test.each([
    ['ONRAMP_TRANSACTION_STATUS_SUCCESS', 'confirmed'],
    ['ONRAMP_TRANSACTION_STATUS_IN_PROGRESS', 'pending'],
    ['ONRAMP_TRANSACTION_STATUS_FAILED', 'failed'],
    ['failed', 'failed'],
  ])('reads the status %s as %s', (status, kept) => {
    expect(metadata({ status }).data[0]?.status).toBe(kept)
  })
})
