import { describe, expect, test } from 'vitest'
import { readAnnouncement } from '../../../src/main/drivers/wallets/announced.ts'
import { createWalletSigning } from '../../../src/main/drivers/wallets/walletSigning.ts'
import { account, icon } from './smallWallet.ts'

const holder = account(1)
const signature = new Uint8Array(64).fill(7)
const message = new TextEncoder().encode('hello')
const signer = { name: 'Lantern', account: holder.address }
type Input = { account: unknown; transaction: Uint8Array; message: Uint8Array; chain?: string }

/** Signing with a wallet of these features. */
function signing(features: Record<string, unknown>, { accounts = [holder], chain = 'solana:devnet' } = {}) {
  const wallet = readAnnouncement({
    name: 'Lantern',
    icon,
    chains: ['solana:devnet'],
    accounts,
    features: {
      'standard:connect': { connect: async () => ({ accounts }) },
      'standard:events': { on: () => () => undefined },
      'solana:signAndSendTransaction': { signAndSendTransaction: async () => [] },
      ...features,
    },
  })
  return createWalletSigning({ walletOf: () => ({ ...wallet, walletKey: 'Lantern' }), chain: () => chain })
}
const code = (wanted: string) => expect.objectContaining({ code: wanted })

describe('signing a message', () => {
  const by = (sign: (input: Input) => unknown) => signing({ 'solana:signMessage': { signMessage: sign } })

  test('asks the account’s own wallet, with a copy of the message', async () => {
    const asked: Input[] = []
    const { signMessage } = by(async input => {
      asked.push(input)
      return [{ signedMessage: input.message, signature }]
    })
    expect(await signMessage(signer, message)).toEqual(signature)
    expect(asked).toEqual([{ account: holder, message }])
    expect(asked[0]?.message).not.toBe(message)
  })

  test.each([
    ['without the feature', signing({}), 'unsupported'],
    [
      'with an account it does not list',
      signing({ 'solana:signMessage': { signMessage: async () => [] } }, { accounts: [] }),
      'account_changed',
    ],
    ['that answers with a short signature', by(async () => [{ signature: new Uint8Array(3) }]), 'bad_response'],
    ['that answers with no list', by(async () => null), 'bad_response'],
    [
      'whose person declines',
      by(async () => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))),
      'user_rejected',
    ],
    ['that breaks', by(async () => Promise.reject(new Error('secret words'))), 'unknown'],
  ])('by a wallet %s fails with its code', async (_, { signMessage }, wanted) => {
    await expect(signMessage(signer, message)).rejects.toEqual(code(wanted))
  })

  test.each([0, 64 * 1024 + 1])('of %d bytes is refused before any prompt', async length => {
    const { signMessage } = by(async () => expect.unreachable())
    await expect(signMessage(signer, new Uint8Array(length))).rejects.toEqual(code('bad_input'))
  })

  test('names the missing feature in the standard’s words', async () => {
    await expect(signing({}).signMessage(signer, message)).rejects.toThrow(
      'The wallet does not support the "solana:signMessage" feature',
    )
  })
})

describe('signing several transactions', () => {
  const transactions = [1, 2, 3].map(byte => new Uint8Array(100).fill(byte))
  const plus = ({ transaction }: Input) => ({ signedTransaction: transaction.map(byte => byte + 10) })
  const expected = transactions.map(bytes => bytes.map(byte => byte + 10))

  test('asks once where the wallet takes all', async () => {
    const counts: number[] = []
    const signTransaction = async (...inputs: Input[]) => {
      counts.push(inputs.length)
      expect(inputs.map(({ chain }) => chain)).toEqual(inputs.map(() => 'solana:devnet'))
      return inputs.map(plus)
    }
    const { signAllTransactions } = signing({ 'solana:signTransaction': { signTransaction } })
    expect(await signAllTransactions(signer, transactions)).toEqual(expected)
    expect(counts).toEqual([3])
  })

  test.each([
    [
      'refuses several',
      (inputs: Input[]) => (inputs.length > 1 ? Promise.reject(new Error('one at a time')) : inputs.map(plus)),
    ],
    ['signs the first alone', (inputs: Input[]) => inputs.slice(0, 1).map(plus)],
  ])('goes one by one where the wallet %s', async (_, answer) => {
    const signTransaction = async (...inputs: Input[]) => answer(inputs)
    const { signAllTransactions } = signing({ 'solana:signTransaction': { signTransaction } })
    expect(await signAllTransactions(signer, transactions)).toEqual(expected)
  })

  test('stops at a person’s word', async () => {
    const counts: number[] = []
    const signTransaction = async (...inputs: Input[]) => {
      counts.push(inputs.length)
      throw Object.assign(new Error('no'), { code: 4001 })
    }
    const { signAllTransactions } = signing({ 'solana:signTransaction': { signTransaction } })
    await expect(signAllTransactions(signer, transactions)).rejects.toEqual(code('user_rejected'))
    expect(counts).toEqual([3])
  })

  test('is refused on a network the wallet does not know', async () => {
    const signTransaction = async () => expect.unreachable()
    const { signAllTransactions } = signing(
      { 'solana:signTransaction': { signTransaction } },
      { chain: 'solana:mainnet' },
    )
    await expect(signAllTransactions(signer, transactions)).rejects.toThrow('Invalid chain id')
  })

  test.each([[[]], [[new Uint8Array(0)]], [[new Uint8Array(1233)]]])('refuses %o', async list => {
    const { signAllTransactions } = signing({})
    await expect(signAllTransactions(signer, list)).rejects.toEqual(code('bad_input'))
  })
})

describe('signing in', () => {
  test('gives the account with the signed statement', async () => {
    const signIn = async (input: object) => [{ account: holder, signedMessage: message, signature, input }]
    const signed = await signing({ 'solana:signIn': { signIn } }).signIn(signer, { statement: 'Hello' })
    expect(signed).toEqual({ account: holder.address, signedMessage: message, signature })
  })

  test.each([
    ['without the feature', {}, 'unsupported'],
    [
      'that answers with another chain’s account',
      {
        'solana:signIn': {
          signIn: async () => [
            { account: { address: '0x1', chains: ['eip155:1'] }, signedMessage: message, signature },
          ],
        },
      },
      'bad_response',
    ],
    ['that answers with two', { 'solana:signIn': { signIn: async () => [{}, {}] } }, 'bad_response'],
  ])('by a wallet %s fails with its code', async (_, features, wanted) => {
    await expect(signing(features).signIn(signer, {})).rejects.toEqual(code(wanted))
  })
})
