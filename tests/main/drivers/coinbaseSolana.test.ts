import { Keypair, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { encodeBase58 } from '../../../src/events/values/base58.ts'
import { readAnnouncement } from '../../../src/main/drivers/announced.ts'
import { announceWallet } from '../../../src/main/drivers/announceWallet.ts'
import { coinbaseHere, type CoinbaseSolana, coinbaseWallet } from '../../../src/main/drivers/coinbaseSolana.ts'

const key = Keypair.fromSeed(new Uint8Array(32).fill(5))
const signature = new Uint8Array(64).fill(9)

/** The provider, which signs objects of web3.js for real. */
function provider() {
  const calls: string[] = []
  const sign = (transaction: object) => {
    const parsed = transaction as VersionedTransaction
    parsed.sign([key])
    return parsed
  }
  const coinbase: CoinbaseSolana = {
    publicKey: null,
    async connect() {
      coinbase.publicKey = key.publicKey
    },
    async disconnect() {
      coinbase.publicKey = null
    },
    signMessage: async () => ({ signature }),
    async signTransaction(transaction) {
      calls.push('one')
      return sign(transaction)
    },
    async signAllTransactions(transactions) {
      calls.push('all')
      return transactions.map(sign)
    },
    async signAndSendTransaction(_, options) {
      calls.push(`sent ${JSON.stringify(options)}`)
      return { signature: encodeBase58(signature) }
    },
  }
  return { coinbase, calls }
}

function bytes(): Uint8Array {
  const transaction = new Transaction({ feePayer: key.publicKey, recentBlockhash: encodeBase58(new Uint8Array(32)) })
  transaction.add(SystemProgram.transfer({ fromPubkey: key.publicKey, toPubkey: key.publicKey, lamports: 1 }))
  return transaction.serialize({ requireAllSignatures: false })
}

function wallet() {
  const { coinbase, calls } = provider()
  const made = coinbaseWallet(coinbase, async wire => VersionedTransaction.deserialize(wire))
  const { features } = made
  return { made, calls, coinbase, features }
}

test('coinbase: is taken as a wallet of the standard, and announced', () => {
  const here = coinbaseHere([], provider().coinbase) as object
  expect(readAnnouncement(here)).toMatchObject({
    name: 'Coinbase Wallet',
    features: ['signTransaction', 'signAndSendTransaction', 'signMessage'],
  })
  const heard: unknown[] = []
  const page = new EventTarget()
  page.addEventListener('wallet-standard:register-wallet', event =>
    (event as CustomEvent<(api: object) => void>).detail({ register: (one: unknown) => heard.push(one) }),
  )
  announceWallet(here, page)
  expect(heard).toEqual([here])
})

test('coinbase: leaves it to a version that announces itself', () => {
  expect(coinbaseHere([{ name: 'Coinbase Wallet' }], provider().coinbase)).toBeUndefined()
})

test('coinbase: shares its account once connected, silently only when it is already, and none after a disconnect', async () => {
  const { features, made } = wallet()
  const { connect } = features['standard:connect']
  const told: number[] = []
  features['standard:events'].on('change', ({ accounts }) => told.push(accounts.length))
  expect((await connect({ silent: true })).accounts).toEqual([])
  expect((await connect()).accounts).toMatchObject([{ address: key.publicKey.toBase58() }])
  expect((await connect({ silent: true })).accounts).toHaveLength(1)
  await features['standard:disconnect'].disconnect()
  expect(made.accounts).toEqual([])
  expect(told).toEqual([0, 1, 1, 0])
})

test('coinbase: signs one transaction, or several at once', async () => {
  const { features, calls } = wallet()
  const { signTransaction } = features['solana:signTransaction']
  const input = { transaction: bytes(), message: bytes() }
  const [one] = await signTransaction(input)
  expect(one?.signedTransaction.slice(1, 65).some(byte => byte !== 0)).toBe(true)
  expect(await signTransaction(input, input)).toEqual([one, one])
  expect(calls).toEqual(['one', 'all'])
})

test('coinbase: sends with the given options, and signs messages', async () => {
  const { features, calls } = wallet()
  const input = { transaction: bytes(), message: Uint8Array.of(1), options: { preflightCommitment: 'confirmed' } }
  expect(await features['solana:signAndSendTransaction'].signAndSendTransaction(input)).toEqual([{ signature }])
  expect(calls).toEqual(['sent {"preflightCommitment":"confirmed"}'])
  expect(await features['solana:signMessage'].signMessage(input)).toEqual([
    { signedMessage: Uint8Array.of(1), signature },
  ])
})
