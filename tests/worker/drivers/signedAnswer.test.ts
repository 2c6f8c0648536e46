/** A wallet's answer to an order's request, from the envelope to the fields of the input. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCurves } from '../../../src/worker/drivers/walletconnect/curves.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createRelayDriver } from '../../../src/worker/drivers/walletconnect/relay.ts'
import { createVault } from '../../../src/worker/drivers/walletconnect/vault.ts'
import { fromHex } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { linkUrl } from '../../../src/worker/walletconnect/link/linkMode.ts'

const ours = 'https://dapp.example/app'
const buyer = Keypair.generate()
const bytes = memoryBytes()
const { agree, signer } = createCurves()
const vault = createVault({ keys: memoryKeys(), bytes, agree })
let topic = ''
let symKey: Uint8Array = new Uint8Array()

const driver = createRelayDriver({
  vault,
  bytes,
  verify: async (signature, message, key) => ed25519.verify(signature, message, key),
  signer,
  now: () => 1_800_000_000_000,
  emit: () => undefined,
  relayUrls: [],
  online: () => true,
  askedByPage: () => undefined,
})

beforeAll(async () => {
  const made: Answer[] = []
  const data = { attemptId: 'a', expiresAt: 1_800_000_300_000 }
  await vault.drivers['vault.makePairing']({ id: 'e', data }, answer => void made.push(answer))
  topic = String(made[0]?.data.pairingTopic)
  symKey = fromHex(/symKey=([0-9a-f]{64})/.exec((await vault.pairingUri(topic)) ?? '')?.[1] ?? '')
})

let sealed = 0
async function read(text: string) {
  const iv = new Uint8Array(12).fill(++sealed)
  return (await driver.readLink(linkUrl(ours, topic, sealEnvelope({ text, symKey, iv, way: 'link' })), ours)).payload
}
const answer = (result: unknown) => read(`{"id":1799000000000001,"jsonrpc":"2.0","result":${JSON.stringify(result)}}`)

function transaction(): Transaction {
  const step = SystemProgram.transfer({
    fromPubkey: buyer.publicKey,
    toPubkey: Keypair.generate().publicKey,
    lamports: 1,
  })
  const blockhash = bs58.encode(new Uint8Array(32).fill(7))
  return new Transaction({ feePayer: buyer.publicKey, blockhash, lastValidBlockHeight: 1 }).add(step)
}
const signed = transaction()
signed.sign(buyer)
const whole = signed.serialize().toString('base64')
const signature = bs58.encode(signed.signature ?? new Uint8Array())
const unsigned = transaction().serialize({ requireAllSignatures: false }).toString('base64')

describe('a wallet’s signed transaction', () => {
  test('is stored apart, and answered by its fields', async () => {
    const payload = await answer({ signature, transaction: whole })
    expect(payload).toMatchObject({ kind: 'result', signature, decoded: { feePayer: buyer.publicKey.toBase58() } })
    expect(Buffer.from((await bytes.get(payload.bytesRef ?? '')) ?? []).toString('base64')).toBe(whole)
  })

  test.each([
    ['in base58', bs58.encode(signed.serialize())],
    ['of no encoding', 'not at all'],
    ['that nobody has signed', unsigned],
    ['that is cut off', whole.slice(0, 40)],
  ])('%s leaves the signature beside it, which is judged by itself', async (_how, given) => {
    const payload = await answer({ signature, transaction: given })
    expect(payload).toEqual({ kind: 'result', id: '1799000000000001', signature, verified: 'INVALID' })
  })

  test.each([['not at all'], [unsigned], [whole.slice(0, 40)]])(
    'that is unreadable, without a signature beside it, ends the request by its id: %s',
    async given => {
      expect(await answer({ transaction: given })).toMatchObject({ kind: 'unopened', id: '1799000000000001' })
    },
  )
})

describe('an oversized answer ends its request by its id', () => {
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`
  test.each([
    ['nested too deep', deep],
    ['with a key that is refused', '{"__proto__":{}}'],
    ['with too many values', `[${'0,'.repeat(60_000)}0]`],
  ])('%s', async (_how, result) => {
    const payload = await read(`{"id":1799000000000002,"jsonrpc":"2.0","result":${result}}`)
    expect(payload).toMatchObject({ kind: 'unopened', id: '1799000000000002' })
  })

  test('not without an id, nor with several', async () => {
    for (const ids of ['', '"id":1,"id":2,', '"id":{"a":1},', '"\\id":1,'])
      expect(await read(`{${ids}"jsonrpc":"2.0","result":${deep}}`)).toMatchObject({ kind: 'unopened', id: '0' })
  })
})
