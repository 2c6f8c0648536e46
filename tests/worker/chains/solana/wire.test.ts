import { Buffer as PageBuffer } from 'buffer/'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  type AccountMeta,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import bs58 from 'bs58'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { decodeTransaction } from '../../../../src/worker/chains/solana/decode.ts'
import {
  isSigner,
  isWritable,
  messageBytes,
  readTransaction,
  signatureOf,
  withSignature,
} from '../../../../src/worker/chains/solana/wire.ts'
import {
  blockhash,
  buyer,
  buyerKey,
  legacyBytes,
  lookupTable,
  memoInstruction,
  orderInstructions,
  v0Bytes,
} from './exampleOrder.ts'

const order = legacyBytes(orderInstructions())

function anyInstruction(keys: Keypair[]): fc.Arbitrary<TransactionInstruction> {
  const meta = fc.record({ key: fc.constantFrom(...keys), isSigner: fc.boolean(), isWritable: fc.boolean() })
  return fc.record({ keys: fc.array(meta, { maxLength: 8 }), data: fc.uint8Array({ maxLength: 200 }) }).map(
    given =>
      new TransactionInstruction({
        programId: new PublicKey(new Uint8Array(32).fill(3)),
        keys: given.keys.map(({ key, ...rest }): AccountMeta => ({ pubkey: key.publicKey, ...rest })),
        data: Buffer.from(given.data),
      }),
  )
}
const people = Array.from({ length: 6 }, (_, n) => Keypair.fromSeed(new Uint8Array(32).fill(n + 20)))

describe('a transaction that web3.js wrote', () => {
  test('the example order has 486 bytes in SOL, 488 as version 0', () => {
    expect(order).toHaveLength(486)
    expect(v0Bytes(orderInstructions())).toHaveLength(488)
  })

  test('is read back account by account, whatever its instructions', () => {
    fc.assert(
      fc.property(fc.array(anyInstruction(people), { minLength: 1, maxLength: 3 }), instructions => {
        const bytes = legacyBytes(instructions)
        const read = readTransaction(bytes)
        const message = Transaction.from(bytes).compileMessage()
        expect(read.version).toBe('legacy')
        expect(read.recentBlockhash).toBe(blockhash)
        expect(read.accountKeys).toEqual(message.accountKeys.map(key => key.toBase58()))
        expect(read.accountKeys.map((_, index) => isSigner(read, index))).toEqual(
          message.accountKeys.map((_, index) => message.isAccountSigner(index)),
        )
        expect(read.accountKeys.map((_, index) => isWritable(read, index))).toEqual(
          message.accountKeys.map((_, index) => message.isAccountWritable(index)),
        )
        expect(read.instructions.map(one => [one.program, one.accounts, bs58.encode(one.data)])).toEqual(
          message.instructions.map(one => [one.programIdIndex, one.accounts, one.data]),
        )
        expect(messageBytes(bytes)).toEqual(Uint8Array.from(message.serialize()))
      }),
    )
  })

  test('of version 0 is read with its lookup tables', () => {
    const [first, second] = people as [Keypair, Keypair]
    const instruction = new TransactionInstruction({
      programId: new PublicKey(new Uint8Array(32).fill(3)),
      keys: [
        { pubkey: first.publicKey, isSigner: false, isWritable: true },
        { pubkey: second.publicKey, isSigner: false, isWritable: false },
      ],
      data: Buffer.of(1),
    })
    const bytes = v0Bytes([instruction], [lookupTable(people.map(one => one.publicKey))])
    const read = readTransaction(bytes)
    const { message } = VersionedTransaction.deserialize(bytes)
    expect(read.version).toBe(0)
    expect(read.lookups).toEqual([{ table: lookupTable([]).key.toBase58(), writable: [0], readonly: [1] }])
    expect(read.accountKeys).toEqual(message.staticAccountKeys.map(key => key.toBase58()))
    expect(read.instructions[0]?.accounts).toEqual([2, 3])
    expect([2, 3].map(index => isWritable(read, index))).toEqual([true, false])
    expect(decodeTransaction(bytes).instructions).toEqual([{ kind: 'other', program: read.accountKeys[1] }])
  })
})

describe('a signature', () => {
  test('in its place makes the transaction valid for web3.js', () => {
    const signature = ed25519.sign(messageBytes(order), buyer.secretKey.subarray(0, 32))
    const signed = withSignature(order, buyerKey, signature)
    expect(Transaction.from(signed).verifySignatures()).toBe(true)
    expect(signatureOf(readTransaction(signed), buyerKey)).toBe(bs58.encode(signature))
    expect(signatureOf(readTransaction(order), buyerKey)).toBeUndefined()
    expect(messageBytes(signed)).toEqual(messageBytes(order))
    expect(order.slice(1, 65).every(byte => byte === 0)).toBe(true)
  })

  test('of the second signer goes to its place', () => {
    const other = people[0] as Keypair
    const instruction = memoInstruction('hello')
    instruction.keys.push({ pubkey: other.publicKey, isSigner: true, isWritable: false })
    const bytes = withSignature(legacyBytes([instruction]), other.publicKey.toBase58(), new Uint8Array(64).fill(5))
    expect(readTransaction(bytes).signatures.map(one => one[0])).toEqual([0, 5])
  })

  test('of an account that need not sign, or of another length, is refused', () => {
    expect(() => withSignature(order, people[0]?.publicKey.toBase58() ?? '', new Uint8Array(64))).toThrow(
      /does not ask/,
    )
    expect(() => withSignature(order, buyerKey, new Uint8Array(63))).toThrow(/64 bytes, got 63/)
    expect(() => signatureOf(readTransaction(order), blockhash)).toThrow(Fault)
  })
})

describe('malformed transaction bytes', () => {
  const at = (index: number, ...put: number[]) => {
    const bytes = Uint8Array.from(order)
    bytes.set(put, index)
    return bytes
  }
  const insert = (index: number, cut: number, ...put: number[]) =>
    Uint8Array.from([...order.subarray(0, index), ...put, ...order.subarray(index + cut)])

  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(0), /cut off/],
    ['a byte to spare', Uint8Array.from([...order, 0]), /ends at byte 486, but 487 came/],
    ['a byte too few', order.subarray(0, -1), /more than its bytes hold/],
    ['more than 1232 bytes', new Uint8Array(1233), /1232 bytes at most, got 1233/],
    ['a length written too long', insert(0, 1, 0x81, 0x00), /longer than it is/],
    ['a length beyond 16 bits', insert(0, 1, 0xff, 0xff, 0x04), /below 65536/],
    ['no signature', insert(0, 65, 0), /expected 1 signatures as its header says, got 0/],
    ['no signer', insert(0, 66, 0, 0), /expected a signer/],
    ['version 1', at(65, 0x81), /version 0, got 1/],
    ['a fee payer that cannot be charged', at(66, 1), /fee payer that can be charged/],
    ['more read-only accounts than accounts', at(67, 200), /its header more/],
    ['an account named twice', insert(69 + 32, 32, ...order.subarray(69, 69 + 32)), /names an account twice/],
  ])('with %s are refused', (_name, bytes, sentence) => {
    expect(() => readTransaction(bytes)).toThrow(sentence)
    expect(() => readTransaction(bytes)).toThrow(Fault)
  })

  test('with a program or an account that points nowhere are refused', () => {
    const read = readTransaction(order)
    const programAt = 69 + read.accountKeys.length * 32 + 32 + 1
    expect(() => readTransaction(at(programAt, 99))).toThrow(/calls account 99/)
    expect(() => readTransaction(at(programAt, 0))).toThrow(/calls account 0/)
    expect(() => readTransaction(at(order.length - 18, 200))).toThrow(/account 200 of/)
  })

  test('cut at any byte are refused', () => {
    for (let length = 0; length < order.length; length += 1) {
      expect(() => readTransaction(order.subarray(0, length))).toThrow(Fault)
    }
  })

  test('changed anywhere are read as web3.js reads them, or refused with a Fault', () => {
    const sources = [order, v0Bytes(orderInstructions())]
    const change = fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.constantFrom(...sources), change, (source, changes) => {
        const bytes = Uint8Array.from(source)
        for (const [index, value] of changes) bytes[index % bytes.length] = value
        let keys: string[] | undefined
        try {
          keys = readTransaction(bytes).accountKeys
          decodeTransaction(bytes)
        } catch (cause) {
          expect(cause).toBeInstanceOf(Fault)
        }
        if (keys) {
          const { message } = VersionedTransaction.deserialize(bytes)
          expect(message.staticAccountKeys.map(key => key.toBase58())).toEqual(keys)
        }
      }),
      { numRuns: 600 },
    )
  })

  test('at random are refused with a Fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        expect(() => readTransaction(bytes)).toThrow(Fault)
      }),
      { numRuns: 500 },
    )
  })
})

test('the Buffer that the page gives to its libraries holds at most 2147483647 bytes', () => {
  expect(() => PageBuffer.alloc(2_147_483_648)).toThrow('The value "2147483648" is invalid for option "size"')
})
