import { ed25519 } from '@noble/curves/ed25519.js'
import { Keypair, type PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import { describe, expect, test } from 'vitest'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { type AskedByPage, keepAnswer } from '../../../../src/worker/drivers/walletconnect/pageAnswer.ts'
import { readIncoming } from '../../../../src/worker/walletconnect/relay/incoming.ts'

const [asked, stranger] = [Keypair.generate(), Keypair.generate()]
const pubkey = asked.publicKey.toBase58()
const message = new TextEncoder().encode('hello')
const verify = async (signature: Uint8Array, text: Uint8Array, key: Uint8Array) => ed25519.verify(signature, text, key)

const signedBy = (signer: Keypair, bytes = message) => bs58.encode(ed25519.sign(bytes, signer.secretKey.slice(0, 32)))
function transfer(payer: PublicKey): Transaction {
  const step = SystemProgram.transfer({ fromPubkey: payer, toPubkey: stranger.publicKey, lamports: 1 })
  return new Transaction({
    feePayer: payer,
    blockhash: bs58.encode(new Uint8Array(32).fill(7)),
    lastValidBlockHeight: 1,
  }).add(step)
}
const unsigned = transfer(asked.publicKey).serialize({ requireAllSignatures: false }).toString('base64')
function signed(signer: Keypair, payer = signer.publicKey): string {
  const transaction = transfer(payer)
  transaction.sign(signer)
  return transaction.serialize().toString('base64')
}

const ask = (method: string, params: unknown, accounts: string[] = [pubkey]): AskedByPage => ({
  method,
  params: JSON.stringify(params),
  accounts,
})
async function kept(request: AskedByPage, result: unknown) {
  const store = memoryBytes()
  const payload = { kind: 'result', id: '7', answer: JSON.stringify(result) } as const
  return { store, payload: await keepAnswer(payload, request, { store, verify }) }
}
const isOther = async (request: AskedByPage, result: unknown) =>
  (await kept(request, result)).payload.otherSigner === true

describe('a Solana signature', () => {
  const sign = { message: bs58.encode(message), pubkey }

  test('of a message by the requested key is accepted, by another it is not', async () => {
    expect(await isOther(ask('solana_signMessage', sign), { signature: signedBy(asked) })).toBe(false)
    expect(await isOther(ask('solana_signMessage', sign), { signature: signedBy(stranger) })).toBe(true)
  })

  test('without a named key may be by any of the session’s', async () => {
    const request = ask('solana_signMessage', { message: sign.message }, [stranger.publicKey.toBase58(), pubkey])
    expect(await isOther(request, { signature: signedBy(asked) })).toBe(false)
    expect(await isOther(request, { signature: signedBy(Keypair.generate()) })).toBe(true)
  })

  test.each(['transaction', 'signature'])('of a transaction is verified, given as %s', async form => {
    const request = ask('solana_signTransaction', { transaction: unsigned, pubkey })
    const by = (signer: Keypair) => {
      if (form === 'transaction') return { transaction: signed(signer) }
      return { signature: signedBy(signer, Uint8Array.from(transfer(asked.publicKey).serializeMessage())) }
    }
    expect(await isOther(request, by(asked))).toBe(false)
    expect(await isOther(request, by(stranger))).toBe(true)
  })

  test('of each of several transactions is verified', async () => {
    const request = ask('solana_signAllTransactions', { transactions: [unsigned, unsigned], pubkey })
    expect(await isOther(request, { transactions: [signed(asked), signed(asked)] })).toBe(false)
    expect(await isOther(request, { transactions: [signed(asked), signed(stranger)] })).toBe(true)
  })

  test.each([
    ['another method', ask('personal_sign', sign), { signature: signedBy(stranger) }],
    ['no signature', ask('solana_signMessage', sign), {}],
    ['no base58', ask('solana_signMessage', sign), { signature: '0OIl' }],
    ['no transaction', ask('solana_signTransaction', { transaction: unsigned, pubkey }), { transaction: 'AAAA' }],
    ['a bare text', ask('solana_signMessage', sign), signedBy(stranger)],
    [
      'a request that has ended',
      { method: 'solana_signMessage', accounts: [pubkey] },
      { signature: signedBy(stranger) },
    ],
  ])('in %s is left to its page to verify', async (_, request, result) => {
    const { payload } = await kept(request, result)
    expect(payload).toEqual({ kind: 'result', id: '7', answer: JSON.stringify(result) })
  })

  test('by another key is not stored', async () => {
    const { payload } = await kept(ask('solana_signMessage', sign), { signature: signedBy(stranger) })
    expect(payload).toEqual({ kind: 'result', id: '7', otherSigner: true })
  })
})

describe('a long answer', () => {
  const long = 'é'.repeat(70_000)

  test('is stored apart, complete', async () => {
    const { store, payload } = await kept(ask('x', {}), long)
    expect(payload).toEqual({ kind: 'result', id: '7', answerRef: expect.stringMatching(/^[0-9a-f]{64}\.7$/) })
    const bytes = await store.get(payload.answerRef ?? '')
    expect(JSON.parse(new TextDecoder().decode(bytes))).toBe(long)
  })

  test('with an error leaves its message out', async () => {
    const error = { code: 7, message: '' }
    const payload = { kind: 'error', id: '7', error, answer: JSON.stringify({ message: long }) } as const
    expect(await keepAnswer(payload, ask('x', {}), { store: memoryBytes(), verify })).toEqual({
      kind: 'error',
      id: '7',
      error,
    })
  })
})

describe('an answer to a page’s request', () => {
  const read = (text: string) => readIncoming(text, { isOfPage: id => id === '7' }).payload

  test.each(['null', '"0x"', '{"transaction":"AAAA","signature":"x"}', 'true', '[1,{"a":null}]'])(
    'is stored unchanged: %s',
    result => {
      expect(read(`{"id":7,"jsonrpc":"2.0","result":${result}}`)).toEqual({ kind: 'result', id: '7', answer: result })
    },
  )

  test.each([
    ['{}', { code: 0, message: '' }],
    ['"no"', { code: 0, message: '' }],
    ['{"code":4001,"message":"my one-time password is 1234","data":[1]}', { code: 4001, message: '' }],
    ['{"message":"User rejected."}', { code: 0, message: 'User rejected.' }],
  ])('keeps the error %s in its own words beside ours', (error, ours) => {
    expect(read(`{"id":7,"jsonrpc":"2.0","error":${error}}`)).toEqual({
      kind: 'error',
      id: '7',
      error: ours,
      answer: error,
    })
  })

  test.each([
    '{"id":7,"jsonrpc":"2.0"}',
    '{"id":7,"jsonrpc":"2.0","result":1,"error":{"code":1,"message":"x"}}',
    '{"id":7,"result":1}',
  ])('outside the protocol’s forms is known by its id: %s', text => {
    expect(read(text)).toMatchObject({ kind: 'unopened', id: '7' })
  })

  test('to the core’s own request is reduced to its fields as ever', () => {
    expect(readIncoming('{"id":8,"jsonrpc":"2.0","result":"x"}', { isOfPage: id => id === '7' }).payload).toEqual({
      kind: 'result',
      id: '8',
    })
  })
})
