import { PublicKey, SystemProgram } from '@solana/web3.js'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Addresses } from '../../../../src/main/config.ts'
import { signTransactions } from '../../../../src/main/embed/signing/signTransactions.ts'
import type { Page } from '../../../../src/main/page/page.tsx'
import { Fault } from '../../../../src/runtime/failure.ts'
import { encodeBase58 } from '../../../../src/events/values/solana/base58.ts'
import { networks } from '../../../../src/events/values/networks.ts'
import { withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import { toBase64 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { account, connected, connectedTorch, stage } from '../../../ui/modalStage.ts'
import { legacyBytes } from '../../../worker/chains/solana/exampleOrder.ts'

const asked = vi.fn()
vi.mock('../../../../src/main/provider/startProvider.ts', () => ({
  startProvider: async () => ({ request: asked }),
}))

const signature = new Uint8Array(64).fill(9)
const payer = new PublicKey(account)
const transaction = (lamports: number, from = payer) =>
  legacyBytes([SystemProgram.transfer({ fromPubkey: from, toPubkey: payer, lamports })], from)
const two = [transaction(1), transaction(2)]
const signedTwo = two.map(bytes => withSignature(bytes, account, signature))

const signing = vi.fn()
let on: ReturnType<typeof stage>
beforeEach(() => {
  asked.mockReset()
  signing.mockReset().mockResolvedValue(signedTwo)
  on = stage()
})
const sign = (transactions: unknown) =>
  signTransactions(
    {
      store: on.store,
      started: Promise.resolve({ signing: async () => ({ signAllTransactions: signing }) }),
    } as unknown as Page,
    {} as Addresses,
    transactions,
  )

describe('transactions of the host', () => {
  test('are signed by the installed wallet’s active account, all at once', async () => {
    on.facts(connected('Nib'))
    expect(await sign(two)).toEqual(signedTwo)
    expect(signing.mock.calls).toEqual([[{ name: 'Nib', account }, two]])
  })

  test('need a connected wallet, and keep its failure', async () => {
    await expect(sign(two)).rejects.toMatchObject({ code: 'unauthorized' })
    on.facts(connected('Nib'))
    signing.mockRejectedValue(new Fault('user_rejected', 'Nib declined'))
    await expect(sign(two)).rejects.toMatchObject({ code: 'user_rejected' })
  })

  const stranger = new PublicKey(new Uint8Array(32).fill(3))
  test.each([
    ['no list', 7, 'a list of 1 to 100 transactions'],
    ['an empty list', [], 'a list of 1 to 100 transactions'],
    ['too many', Array.from({ length: 101 }, () => two[0]), 'a list of 1 to 100 transactions'],
    ['text', [two[0], 'AQ=='], 'a Uint8Array at 1, got string'],
    ['other bytes', [new Uint8Array(80)], 'a transaction to sign at 0'],
    ['one that another account signs', [transaction(1, stranger)], `does not ask ${account} for a signature`],
  ])('are refused before any prompt: %s', async (_, list, sentence) => {
    on.facts(connected('Nib'))
    await expect(sign(list)).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining(sentence) })
    expect(signing).not.toHaveBeenCalled()
  })

  test('that a wallet gives back unsigned are no answer', async () => {
    on.facts(connected('Nib'))
    signing.mockResolvedValue(two)
    await expect(sign(two)).rejects.toMatchObject({
      code: 'bad_response',
      message: 'Nib expected to answer with a signed transaction, its signature is missing',
    })
  })
})

describe('transactions of the host over WalletConnect', () => {
  const [mainnet, devnet] = networks
  const here = mainnet?.caip2 ?? ''
  function connect({ methods = ['solana_signTransaction'], chains = [here], features = ['signTransaction'] } = {}) {
    const namespaces = { solana: { accounts: chains.map(chain => `${chain}:${account}`), methods, events: [] } }
    const [settled, made] = connectedTorch({ namespaces })
    const allowed = { ...made, data: { ...made?.data, features } } as typeof made
    const { genesisHash = '', caip2 = '' } = mainnet ?? {}
    on.facts(...[settled, allowed].flatMap(fact => fact ?? []), {
      type: 'network.identified',
      data: { genesisHash, caip2 },
    })
  }

  test('go one by one to a session without the method for all, on the page’s network', async () => {
    connect({ chains: [devnet?.caip2 ?? '', here] })
    asked
      .mockResolvedValueOnce({ signature: encodeBase58(signature) })
      .mockResolvedValueOnce({ transaction: toBase64(signedTwo[1] as Uint8Array), signature: 'unused' })
    expect(await sign(two)).toEqual(signedTwo)
    const params = two.map(bytes => ({ transaction: toBase64(bytes), pubkey: account }))
    expect(asked.mock.calls).toEqual(params.map(one => [{ method: 'solana_signTransaction', params: one }, here]))
  })

  test.each([
    ['base64', toBase64],
    ['base58', encodeBase58],
  ])('go at once to a session with the method for all, which answers in %s', async (_, encode) => {
    connect({ methods: ['solana_signTransaction', 'solana_signAllTransactions'] })
    asked.mockResolvedValue({ transactions: signedTwo.map(encode) })
    expect(await sign(two)).toEqual(signedTwo)
    const params = { transactions: two.map(toBase64), pubkey: account }
    expect(asked.mock.calls).toEqual([[{ method: 'solana_signAllTransactions', params }, here]])
  })

  test.each([
    ['without a signature', {}, 'expected a signature of 64 bytes'],
    ['of another form', { transaction: 7 }, 'expected to answer with a transaction as text'],
    ['that is no transaction', { transaction: 'AAAA' }, 'expected to answer with a transaction in base64 or base58'],
    ['that is unsigned', { transaction: toBase64(two[0] as Uint8Array) }, 'its signature is missing'],
  ])('take no answer %s', async (_, answer, sentence) => {
    connect()
    asked.mockResolvedValue(answer)
    await expect(sign([two[0]])).rejects.toMatchObject({
      code: 'bad_response',
      message: expect.stringContaining(sentence),
    })
  })

  test('take no answer for fewer', async () => {
    connect({ methods: ['solana_signTransaction', 'solana_signAllTransactions'] })
    asked.mockResolvedValue({ transactions: [toBase64(signedTwo[0] as Uint8Array)] })
    await expect(sign(two)).rejects.toThrow('expected to answer with 2 transactions, got 1')
  })

  test('end with the person’s word', async () => {
    connect()
    asked.mockRejectedValue(Object.assign(new Error('User rejected'), { code: 5000 }))
    await expect(sign([two[0]])).rejects.toMatchObject({ code: 'user_rejected' })
  })

  test('are not sent to a session that cannot sign, nor one on another network', async () => {
    connect({ features: [] })
    await expect(sign(two)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('does not allow it'),
    })
    on = stage()
    connect({ chains: [devnet?.caip2 ?? ''] })
    await expect(sign(two)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('this network'),
    })
    expect(asked).not.toHaveBeenCalled()
  })
})
