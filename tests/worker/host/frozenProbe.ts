/** A process that freezes the intrinsics first and loads every lazy part after; prints the results as JSON. */
import { freezeIntrinsics } from '../../../src/worker/host/frozen.ts'

freezeIntrinsics()

const tried = async (work: () => unknown): Promise<string> => {
  try {
    return String(await work())
  } catch (cause) {
    return `refused: ${(cause as Error).name}`
  }
}

const attacks: Record<string, () => unknown> = {
  'a property of every object': () => ((Object.prototype as Record<string, unknown>).polluted = 1),
  'a property by __proto__': () => (({} as { __proto__: Record<string, unknown> }).__proto__.polluted = 1),
  'Array.prototype.map': () => (Array.prototype.map = () => []),
  'Array.prototype.push': () => (Array.prototype.push = () => 0),
  'Promise.prototype.finally': () => (Promise.prototype.finally = (() => undefined) as never),
  'Object.prototype.toString': () => (Object.prototype.toString = () => ''),
  'Object.keys': () => (Object.keys = () => []),
  'Uint8Array.from': () => (Uint8Array.from = (() => new Uint8Array(0)) as never),
  'TypedArray.prototype.set': () => ((Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array).set = () => undefined),
  'JSON.parse': () => (JSON.parse = () => ({})),
  'Map.prototype.get': () => (Map.prototype.get = () => undefined),
  'String.prototype.slice': () => (String.prototype.slice = () => ''),
  'Function.prototype.call': () => (Function.prototype.call = (() => undefined) as never),
  'the iterator of arrays': () => ((Object.getPrototypeOf([][Symbol.iterator]()) as { next: unknown }).next = 1),
  'Error.captureStackTrace': () => (Error.captureStackTrace = () => undefined),
  'defineProperty on Array.prototype': () => Object.defineProperty(Array.prototype, 'at', { value: 1 }),
  'the name Promise': () => (globalThis.Promise = class {} as never),
  'the name BigInt, defined anew': () => Object.defineProperty(globalThis, 'BigInt', { value: Number }),
  'the name JSON, deleted': () => delete (globalThis as { JSON?: unknown }).JSON,
  'a method of Intl': () => (Intl.NumberFormat.prototype.format = () => ''),
  'setPrototypeOf on Object.prototype': () => Object.setPrototypeOf(Object.prototype, {}),
}

class Named extends Error {
  constructor() {
    super('x')
    this.name = 'Named'
    this.message = 'y'
  }
}
function Old() {}
const uses: Record<string, () => unknown> = {
  'a method of an object that every object has': () => {
    const one: { toString(): string } = {} as never
    one.toString = () => 'mine'
    return `${String(one)} ${Object.keys(one).join()}`
  },
  'a method of an old-fashioned class': () => {
    Old.prototype.toString = () => 'old'
    Old.prototype.constructor = Old
    return String(new (Old as unknown as new () => object)())
  },
  'the name of an error': () => String(new Named()),
  'an error as comlink makes it': () => String(Object.assign(new Error('a'), { name: 'B', message: 'c' })),
  'a stack limit': () => {
    Error.stackTraceLimit = 5
    return Error.stackTraceLimit
  },
  buffer: async () => {
    const { Buffer } = await import('buffer/index.js')
    return Buffer.concat([Buffer.from('6d', 'hex'), Buffer.from([97, 105])]).toString()
  },
  'web3.js and spl-token': async () => {
    await import('../../../src/worker/drivers/solana/order/buffer.ts')
    const { Keypair, PublicKey, SystemProgram, Transaction } = await import('@solana/web3.js')
    const { createTransferCheckedInstruction } = await import('@solana/spl-token')
    const [from, to] = [Keypair.fromSeed(new Uint8Array(32).fill(1)), new PublicKey(new Uint8Array(32).fill(2))]
    const transaction = new Transaction({ feePayer: from.publicKey, recentBlockhash: to.toBase58() } as never)
    transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports: 5 }))
    transaction.add(createTransferCheckedInstruction(to, to, to, from.publicKey, 7n, 6))
    transaction.sign(from)
    return Transaction.from(transaction.serialize()).verifySignatures()
  },
  noble: async () => {
    const { ed25519, x25519 } = await import('@noble/curves/ed25519.js')
    const { chacha20poly1305 } = await import('@noble/ciphers/chacha.js')
    const { hkdf } = await import('@noble/hashes/hkdf.js')
    const { sha256 } = await import('@noble/hashes/sha2.js')
    const secret = new Uint8Array(32).fill(3)
    const key = hkdf(sha256, x25519.getSharedSecret(secret, x25519.getPublicKey(secret)), undefined, undefined, 32)
    const box = chacha20poly1305(key, new Uint8Array(12))
    const opened = box.decrypt(box.encrypt(secret))
    return ed25519.verify(ed25519.sign(opened, secret), secret, ed25519.getPublicKey(secret))
  },
  immer: async () => {
    const { produce } = await import('immer')
    return JSON.stringify(produce({ a: [1], b: { c: 1 } }, draft => void (draft.a.push(2), (draft.b.c = 3))))
  },
  idb: async () => {
    await import('fake-indexeddb/auto' as string)
    const { openDB } = await import('idb')
    const db = await openDB('x', 1, { upgrade: up => void up.createObjectStore('s') })
    await db.put('s', { a: 1 }, 'k')
    return JSON.stringify(await db.get('s', 'k'))
  },
}

const answer: Record<string, string> = {}
for (const [name, work] of Object.entries({ ...attacks, ...uses })) answer[name] = await tried(work)
answer['what is polluted'] = Object.keys(Object.prototype).join()
console.log(JSON.stringify(answer))
