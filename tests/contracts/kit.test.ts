import { ed25519 } from '@noble/curves/ed25519.js'
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seedOf } from '../stack/relay/rawClient.ts'
import { type RelayStack, startRelay } from '../stack/relay/relay.ts'
import { type KitPolicy, type KitWallet, startKitWallet } from '../stack/wallet/kit.ts'
import { memoryStorage } from '../stack/wallet/memoryStorage.ts'
import { proposeRaw, type RawDapp } from '../stack/wallet/rawDapp.ts'

const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const local = `solana:${'7'.repeat(32)}`
const methods = ['solana_signTransaction', 'solana_signMessage', 'solana_signAndSendTransaction']

let relay: RelayStack
let wallet: KitWallet
let dapp: RawDapp

const startWallet = (policy: Partial<KitPolicy>, storage = memoryStorage()) =>
  startKitWallet({
    storage,
    relayUrl: relay.url,
    projectId: '0'.repeat(32),
    secretKey: seedOf('a wallet'),
    rpcUrl: 'http://127.0.0.1:1',
    policy,
  })

async function start(policy: Partial<KitPolicy> = {}, storage = memoryStorage()) {
  wallet = await startWallet(policy, storage)
  dapp = await proposeRaw({ relayUrl: relay.url, who: 'a dapp', chains: [devnet, local], methods })
}

beforeEach(async () => {
  relay = await startRelay()
})
afterEach(async () => {
  dapp.client.close()
  await wallet.close()
  await relay.close()
})

function transfer(lamports: number): Transaction {
  const from = new PublicKey(wallet.address)
  const toPubkey = new PublicKey(new Uint8Array(32).fill(5))
  return new Transaction({
    feePayer: from,
    blockhash: bs58.encode(new Uint8Array(32).fill(3)),
    lastValidBlockHeight: 100,
  }).add(SystemProgram.transfer({ fromPubkey: from, toPubkey, lamports }))
}
const wire = (transaction: Transaction) => transaction.serialize({ verifySignatures: false }).toString('base64')
const amountOf = (base64: string) =>
  Number(Transaction.from(Buffer.from(base64, 'base64')).instructions[0]?.data.readBigUInt64LE(4))

describe('the official wallet kit over the local relay', { timeout: 30_000 }, () => {
  test('it approves both chains, signs a message and a transaction, answers a ping and disconnects', async () => {
    await start()
    await wallet.pair(dapp.uri)
    const { topic, settlement } = await dapp.settled()
    expect(settlement.namespaces['solana']?.accounts).toEqual([
      `${devnet}:${wallet.address}`,
      `${local}:${wallet.address}`,
    ])
    expect(await wallet.next('proposal')).toMatchObject({ name: 'Raw dapp', chains: [devnet, local] })
    expect(await wallet.next('settled')).toEqual({ type: 'settled', topic })

    const message = new TextEncoder().encode('hello')
    const params = { message: bs58.encode(message), pubkey: wallet.address }
    const said = (await dapp.request(topic, local, { method: 'solana_signMessage', params })) as { signature: string }
    expect(ed25519.verify(bs58.decode(said.signature), message, bs58.decode(wallet.address))).toBe(true)

    const transaction = wire(transfer(7000))
    const signed = (await dapp.request(topic, local, {
      method: 'solana_signTransaction',
      params: { transaction },
    })) as {
      transaction: string
      signature: string
    }
    const back = Transaction.from(Buffer.from(signed.transaction, 'base64'))
    expect(back.verifySignatures()).toBe(true)
    expect(bs58.encode(back.signature as Uint8Array)).toBe(signed.signature)

    const ping = wallet.ping(topic)
    expect(await dapp.heard()).toMatchObject({ method: 'wc_sessionPing' })
    await ping
    const ending = wallet.disconnect(topic)
    expect(await dapp.heard()).toMatchObject({ method: 'wc_sessionDelete', params: { code: 6000 } })
    await ending
    expect(wallet.sessions()).toEqual([])
    expect(relay.state().tags).toMatchObject({ 1100: 1, 1101: 1, 1102: 1, 1108: 2, 1109: 2, 1112: 1 })
  })
  test('after a restart with its storage it still has the session and answers on it', async () => {
    const storage = memoryStorage()
    await start({ request: 'silent' }, storage)
    await wallet.pair(dapp.uri)
    const { topic } = await dapp.settled()
    const params = { message: bs58.encode(Uint8Array.of(1, 2)), pubkey: wallet.address }
    const asked = dapp.request(topic, local, { method: 'solana_signMessage', params })
    await wallet.next('request')
    await wallet.close()
    wallet = await startWallet({}, storage)
    expect(wallet.sessions()).toEqual([topic])
    expect(await asked).toMatchObject({ signature: expect.any(String) })
  })
  test('it receives the dapp’s delete of the session', async () => {
    await start()
    await wallet.pair(dapp.uri)
    const { topic } = await dapp.settled()
    await dapp.remove(topic)
    expect(await wallet.next('deleted')).toEqual({ type: 'deleted', topic })
  })
  test('declining a proposal answers 5000', async () => {
    await start({ session: 'decline' })
    await wallet.pair(dapp.uri)
    await expect(dapp.settled()).rejects.toMatchObject({ code: 5000 })
  })
  test('declining a request answers the chosen code', async () => {
    await start({ request: 'decline', declineCode: 4001, methods: ['solana_signMessage'] })
    await wallet.pair(dapp.uri)
    const { topic, settlement } = await dapp.settled()
    expect(settlement.namespaces['solana']?.methods).toEqual(['solana_signMessage'])
    const params = { message: bs58.encode(Uint8Array.of(1)), pubkey: wallet.address }
    await expect(dapp.request(topic, local, { method: 'solana_signMessage', params })).rejects.toMatchObject({
      code: 4001,
    })
  })
  test.each([
    ['alter', (signed: string) => expect(amountOf(signed)).toBe(6999)],
    [
      'other',
      (signed: string) => {
        const back = Transaction.from(Buffer.from(signed, 'base64'))
        expect(back.feePayer?.toBase58()).not.toBe(wallet.address)
        expect(back.verifySignatures()).toBe(true)
      },
    ],
  ] as const)('told to %s, it signs validly but not what was asked', async (request, check) => {
    await start({ request })
    await wallet.pair(dapp.uri)
    const { topic } = await dapp.settled()
    const params = { transaction: wire(transfer(7000)) }
    const { transaction } = (await dapp.request(topic, local, { method: 'solana_signTransaction', params })) as {
      transaction: string
    }
    check(transaction)
  })
})
