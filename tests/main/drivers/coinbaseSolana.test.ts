import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { describe, expect, test, vi } from 'vitest'
import { networks } from '../../../src/events/values/networks.ts'
import { announceCoinbase } from '../../../src/main/drivers/wallets/coinbaseSolana.ts'
import { announceWallet } from '../../../src/main/drivers/wallets/announceWallet.ts'
import { createWalletSigning } from '../../../src/main/drivers/wallets/walletSigning.ts'
import { createStore } from '../../../src/ui/store.ts'
import { soon } from '../../soon.ts'
import { connecting, devnet, page, restoring, settled, smallWallet } from './smallWallet.ts'

const name = 'Coinbase Wallet'
const mainnet = networks[0]?.genesisHash ?? ''
const person = Keypair.fromSeed(new Uint8Array(32).fill(4))
const holder = person.publicKey.toBase58()
const instruction = SystemProgram.transfer({ fromPubkey: person.publicKey, toPubkey: PublicKey.default, lamports: 5 })
const [recentBlockhash, feePayer] = [PublicKey.default.toBase58(), person.publicKey]
const legacy = new Uint8Array(
  new Transaction({ recentBlockhash, feePayer }).add(instruction).serialize({ requireAllSignatures: false }),
)
const versioned = new VersionedTransaction(
  new TransactionMessage({ payerKey: feePayer, recentBlockhash, instructions: [instruction] }).compileToV0Message(),
).serialize()
const message = new TextEncoder().encode('hello')
const declined = Object.assign(new Error('no'), { code: 4001 })

/** Signs like the wallet: an object of web3.js comes, and goes back signed. */
function sign(given: unknown): unknown {
  if (given instanceof Transaction) given.partialSign(person)
  else (given as VersionedTransaction).sign([person])
  return given
}

/** A stand-in for the injected provider; it knows its account once it is connected. */
function provider(over: object = {}) {
  const one = {
    publicKey: null as unknown,
    connect: vi.fn(async () => void (one.publicKey = person.publicKey)),
    disconnect: vi.fn(async () => void (one.publicKey = null)),
    signMessage: vi.fn(async (_: Uint8Array) => ({ signature: new Uint8Array(64).fill(3) })),
    signTransaction: vi.fn(async (given: unknown) => sign(given)),
    signAllTransactions: vi.fn(async (given: unknown[]) => given.map(sign)),
    signAndSendTransaction: vi.fn(async (_: unknown, _options?: object) => ({ signature: '5'.repeat(87) })),
    ...over,
  }
  return one
}

/** A page with the provider, behind the driver that every announced wallet meets. */
async function here(over: object = {}, ...early: unknown[]) {
  const on = await page(...early)
  const store = createStore({ request: task => task(), hidden: () => false })
  let told = 0
  const fold = () => {
    for (const fact of on.said.slice(told)) store.dispatch({ ...fact, at: 0 })
    told = on.said.length
  }
  fold()
  const coinbase = provider(over)
  announceCoinbase(coinbase, store, wallet => announceWallet(wallet, on.window))
  fold()
  const signing = createWalletSigning({ walletOf: on.wallets.walletOf, chain: () => 'solana:mainnet' })
  return { ...on, coinbase, fold, signing, signer: { name, account: holder } }
}
const connected = async (over: object = {}) => {
  const on = await here(over)
  expect(await on.ask(connecting(name))).toMatchObject({ type: 'wallet.connected', accounts: [holder] })
  return on
}
const order = (type: 'wallet.signTransaction' | 'wallet.signAndSendTransaction') => ({
  type,
  data: { name, account: holder, bytesRef: 'b1', genesisHash: mainnet },
  bytes: legacy,
})
/** The answer once it is here: the first transaction waits for web3.js. */
async function answered(on: Awaited<ReturnType<typeof here>>, effect: Parameters<typeof on.ask>[0]) {
  const id = on.perform(effect)
  await soon(() => expect(on.delivered.map(({ effectId }) => effectId)).toContain(id))
  return on.delivered.find(({ effectId }) => effectId === id)?.answer
}

describe('the provider of Coinbase', () => {
  test('is a wallet of this page, on mainnet alone', async () => {
    const { said } = await here()
    expect(said).toEqual([
      {
        type: 'installed.announced',
        data: {
          walletKey: name,
          name,
          features: ['signTransaction', 'signAndSendTransaction', 'signMessage'],
          chains: ['solana:mainnet'],
          twin: false,
          identity: expect.any(String),
        },
      },
    ])
  })

  test.each([
    ['connect', { connect: undefined }, []],
    ['signMessage', { signMessage: undefined }, ['signTransaction', 'signAndSendTransaction']],
    ['signTransaction', { signTransaction: undefined }, ['signAndSendTransaction', 'signMessage']],
  ])('without %s has what is left', async (_, over, features) => {
    const { said } = await here(over)
    const announced = said.flatMap(fact => (fact.type === 'installed.announced' ? fact.data.features : []))
    expect(announced).toEqual(features)
  })

  test('that cannot sign a transaction is refused like any other wallet', async () => {
    const { messages } = await here({ signTransaction: undefined, signAndSendTransaction: undefined })
    expect(messages()).toEqual([expect.stringContaining('expected solana:signTransaction')])
  })

  test.each([undefined, null, 7, 'x', {}])('that is %s is none', value => {
    const announce = vi.fn()
    announceCoinbase(value, createStore({ request: task => task(), hidden: () => false }), announce)
    expect(announce).not.toHaveBeenCalled()
  })

  test('connects, and is declined with code 4001', async () => {
    await connected()
    const on = await here({ connect: async () => Promise.reject(declined) })
    expect(await on.ask(connecting(name))).toMatchObject({ type: 'wallet.failed', failure: { code: 'user_rejected' } })
  })

  test('is not asked on a later visit, unless it has its account already', async () => {
    const on = await here()
    expect(await on.ask(restoring(name))).toMatchObject({ type: 'wallet.failed' })
    expect(on.coinbase.connect).not.toHaveBeenCalled()
    const again = await here({ publicKey: person.publicKey })
    expect(await again.ask(restoring(name))).toMatchObject({ type: 'wallet.connected', accounts: [holder] })
    expect(again.coinbase.connect).not.toHaveBeenCalled()
  })

  test('signs a message', async () => {
    const { signing, signer, coinbase } = await connected()
    expect(await signing.signMessage(signer, message)).toEqual(new Uint8Array(64).fill(3))
    expect(coinbase.signMessage.mock.calls[0]?.[0]).toEqual(message)
  })

  test.each([
    ['legacy', legacy, Transaction],
    ['versioned', versioned, VersionedTransaction],
  ])('signs a %s transaction as an object of web3.js', async (_, bytes, type) => {
    const { signing, signer, coinbase } = await connected()
    const [signed] = await signing.signAllTransactions(signer, [bytes])
    expect(coinbase.signTransaction.mock.calls[0]?.[0]).toBeInstanceOf(type)
    expect(signed?.subarray(65)).toEqual(bytes.subarray(65))
    const { signatures } = VersionedTransaction.deserialize(signed ?? new Uint8Array())
    expect(signatures[0]?.some(byte => byte > 0)).toBe(true)
  })

  test('signs several at once, or one by one where it cannot', async () => {
    const all = await connected()
    expect(await all.signing.signAllTransactions(all.signer, [legacy, versioned])).toHaveLength(2)
    expect(all.coinbase.signAllTransactions).toHaveBeenCalledTimes(1)
    expect(all.coinbase.signTransaction).not.toHaveBeenCalled()
    const single = await connected({ signAllTransactions: undefined })
    expect(await single.signing.signAllTransactions(single.signer, [legacy, versioned])).toHaveLength(2)
    expect(single.coinbase.signTransaction).toHaveBeenCalledTimes(2)
  })

  test('signs an order of this page, sends one, and is declined', async () => {
    const on = await connected()
    const signed = await answered(on, order('wallet.signTransaction'))
    expect(signed?.type === 'wallet.signed' && signed.bytes.subarray(65)).toEqual(legacy.subarray(65))
    const sent = await answered(on, order('wallet.signAndSendTransaction'))
    expect(sent).toMatchObject({ type: 'wallet.sent', signature: '5'.repeat(87) })
    expect(on.coinbase.signAndSendTransaction.mock.calls[0]?.[1]).toEqual({ preflightCommitment: 'confirmed' })
    on.coinbase.signTransaction.mockRejectedValueOnce(declined)
    const refused = await answered(on, order('wallet.signTransaction'))
    expect(refused).toMatchObject({ type: 'wallet.failed', failure: { code: 'user_rejected' } })
  })

  test('sends nothing on another network', async () => {
    const on = await connected()
    const { data, ...rest } = order('wallet.signAndSendTransaction')
    const sent = await answered(on, { ...rest, data: { ...data, genesisHash: devnet } })
    expect(sent).toMatchObject({ type: 'wallet.failed', failure: { code: 'unsupported' } })
    expect(on.coinbase.signAndSendTransaction).not.toHaveBeenCalled()
  })

  test('signs nothing for an account that it left', async () => {
    const on = await connected()
    on.coinbase.publicKey = PublicKey.default
    expect(await answered(on, order('wallet.signTransaction'))).toMatchObject({ failure: { code: 'account_changed' } })
    expect(on.coinbase.signTransaction).not.toHaveBeenCalled()
  })

  test('is asked to disconnect', async () => {
    const on = await connected()
    on.perform({ type: 'wallet.disconnect', data: { name } })
    await settled()
    expect(on.coinbase.disconnect).toHaveBeenCalledTimes(1)
  })

  test('is left out where a wallet of its name announced itself', async () => {
    const { names } = await here({}, smallWallet({ name }).wallet)
    expect(names()).toEqual([name])
  })

  test('leaves for one that comes later, unless it is in use', async () => {
    const free = await here()
    free.announce(smallWallet({ name }).wallet)
    free.fold()
    expect(free.said).toContainEqual({ type: 'installed.gone', data: { walletKey: name } })
    const used = await connected()
    used.announce(smallWallet({ name }).wallet)
    used.fold()
    await settled()
    expect(used.said.map(({ type }) => type)).not.toContain('installed.gone')
    expect(used.said).toContainEqual({ type: 'installed.alike', data: { walletKeys: [name, `${name} #2`] } })
  })
})
