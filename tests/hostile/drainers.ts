/** Drainers by name: each takes value or authority, or lies about the payment, beside or instead of an honest order. */
import { type Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { programs } from '../../src/worker/chains/solana/programs.ts'
import {
  budget,
  buyer,
  buyerUsdc,
  lookupTable,
  memo,
  memoInstruction,
  references,
  solTransfer,
  treasury,
  treasuryUsdc,
  usdc,
  usdcTransfer,
  withReferences,
} from '../worker/chains/solana/exampleOrder.ts'
import { call, type Meta, reads, type Shape, signs, u32, u64, writes } from './make.ts'

/** Random choices of one mutation. */
export type Draw = { thief: Keypair; below(limit: number): number; amount: bigint }
/** The disguised order; `build` puts instructions into the mutation's transaction. */
export type Scene = Draw & {
  asset: 'SOL' | 'USDC'
  build(change?: Partial<Shape>): Uint8Array
  order: TransactionInstruction[]
}
type Make = (scene: Scene) => Uint8Array
export type Drainer = { name: string; make: Make; only?: 'signed' }

const me = buyer.publicKey
const usdcMint = new PublicKey(usdc)
const sysvar = new PublicKey('SysvarRent111111111111111111111111111111111')
const known = {
  stake: 'Stake11111111111111111111111111111111111111',
  vote: 'Vote111111111111111111111111111111111111111',
  loader: 'BPFLoaderUpgradeab1e11111111111111111111111',
  tables: 'AddressLookupTab1e1111111111111111111111111',
  config: 'Config1111111111111111111111111111111111111',
  memo1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
}

/** One more instruction, at any place. */
function beside(name: string, make: (draw: Draw) => TransactionInstruction): Drainer {
  return {
    name,
    make: scene => {
      const at = scene.below(scene.order.length + 1)
      return scene.build({ instructions: [...scene.order.slice(0, at), make(scene), ...scene.order.slice(at)] })
    },
  }
}

/** The order's own instructions, changed. */
function instead(name: string, change: (scene: Scene) => TransactionInstruction[]): Drainer {
  return { name, make: scene => scene.build({ instructions: change(scene) }) }
}

/** The payment replaced, the rest as agreed. */
const paying = (name: string, pay: (scene: Scene) => TransactionInstruction) =>
  instead(name, scene => [...scene.order.slice(0, -1), pay(scene)])
/** The payment of the order with its accounts changed. */
const keyed = (name: string, change: (keys: Meta[], scene: Scene) => Meta[]) =>
  paying(name, scene => {
    const [payment] = scene.order.slice(-1)
    if (!payment) throw new Error('an order expected to pay')
    return call(payment.programId.toBase58(), [...payment.data], change([...payment.keys], scene))
  })
/** Bytes changed after compilation. */
const bytes = (name: string, change: (from: Uint8Array, scene: Scene) => number[], only?: 'signed'): Drainer => ({
  name,
  make: scene => Uint8Array.from(change(scene.build(), scene)),
  ...(only ? { only } : {}),
})

const system = (name: string, data: (draw: Draw) => number[], keys: (draw: Draw) => Meta[]) =>
  beside(`system ${name}`, draw => call(programs.system, data(draw), keys(draw)))
const token = (
  name: string,
  data: (draw: Draw) => number[],
  keys: (draw: Draw) => Meta[],
  program: string = programs.token,
) =>
  beside(`${program === programs.token ? 'token' : 'token-2022'} ${name}`, draw =>
    call(program, data(draw), keys(draw)),
  )
const token2022 = (name: string, data: (draw: Draw) => number[], keys: (draw: Draw) => Meta[]) =>
  token(name, data, keys, programs.token2022)
const other = (name: string, program: string, data: number[], keys: (draw: Draw) => Meta[]) =>
  beside(name, draw => call(program, data, keys(draw)))

const keyOf = ({ thief }: Draw) => thief.publicKey
const seed = [...u64(1n), 65]
const ofMe = (draw: Draw): Meta[] => [writes(buyerUsdc), writes(keyOf(draw)), signs(me)]
const checked = (draw: Draw): Meta[] => [writes(buyerUsdc), reads(usdcMint), writes(keyOf(draw)), signs(me)]

const systemShapes = [
  system(
    'transfer',
    ({ amount }) => [...u32(2), ...u64(amount)],
    draw => [signs(me), writes(keyOf(draw))],
  ),
  system(
    'transfer of nothing under the order’s references',
    () => [...u32(2), ...u64(0n)],
    draw => [signs(me), writes(keyOf(draw)), ...references.map(one => reads(new PublicKey(one)))],
  ),
  system(
    'transfer to the treasury again',
    ({ amount }) => [...u32(2), ...u64(amount)],
    () => [signs(me), writes(new PublicKey(treasury))],
  ),
  system(
    'assign',
    draw => [...u32(1), ...keyOf(draw).toBytes()],
    () => [signs(me)],
  ),
  system(
    'allocate',
    () => [...u32(8), ...u64(200n)],
    () => [signs(me)],
  ),
  system(
    'createAccount',
    draw => [...u32(0), ...u64(draw.amount), ...u64(0n), ...keyOf(draw).toBytes()],
    draw => [signs(me), signs(keyOf(draw))],
  ),
  system(
    'createAccountWithSeed',
    draw => [...u32(3), ...me.toBytes(), ...seed, ...u64(draw.amount), ...u64(0n), ...keyOf(draw).toBytes()],
    draw => [signs(me), writes(keyOf(draw))],
  ),
  system(
    'assignWithSeed',
    draw => [...u32(10), ...me.toBytes(), ...seed, ...keyOf(draw).toBytes()],
    draw => [writes(keyOf(draw)), signs(me)],
  ),
  system(
    'allocateWithSeed',
    draw => [...u32(9), ...me.toBytes(), ...seed, ...u64(9n), ...keyOf(draw).toBytes()],
    draw => [writes(keyOf(draw)), signs(me)],
  ),
  system(
    'transferWithSeed',
    draw => [...u32(11), ...u64(draw.amount), ...seed, ...keyOf(draw).toBytes()],
    draw => [writes(keyOf(draw)), signs(me), writes(new PublicKey(treasury))],
  ),
  system(
    'advanceNonce',
    () => u32(4),
    draw => [writes(keyOf(draw)), reads(sysvar), signs(me)],
  ),
  system(
    'withdrawNonce',
    draw => [...u32(5), ...u64(draw.amount)],
    draw => [writes(keyOf(draw)), writes(me), reads(sysvar), reads(sysvar), signs(me)],
  ),
  system(
    'initializeNonce',
    draw => [...u32(6), ...keyOf(draw).toBytes()],
    draw => [writes(keyOf(draw)), reads(sysvar), reads(sysvar)],
  ),
  system(
    'authorizeNonce',
    draw => [...u32(7), ...keyOf(draw).toBytes()],
    draw => [writes(keyOf(draw)), signs(me)],
  ),
  system(
    'upgradeNonce',
    () => u32(12),
    draw => [writes(keyOf(draw))],
  ),
  system(
    'number that is not known',
    draw => [...u32(13 + draw.below(200)), ...u64(draw.amount)],
    draw => [signs(me), writes(keyOf(draw))],
  ),
  system(
    'transfer with bytes to spare',
    ({ amount }) => [...u32(2), ...u64(amount), 0],
    draw => [signs(me), writes(keyOf(draw))],
  ),
]

const tokenShapes = [
  token('transfer', ({ amount }) => [3, ...u64(amount)], ofMe),
  token('transferChecked', ({ amount }) => [12, ...u64(amount), 6], checked),
  token('approve', ({ amount }) => [4, ...u64(amount)], ofMe),
  token('approveChecked', ({ amount }) => [13, ...u64(amount), 6], checked),
  token(
    'revoke',
    () => [5],
    () => [writes(buyerUsdc), signs(me)],
  ),
  token(
    'setAuthority of the owner',
    draw => [6, 2, 1, ...keyOf(draw).toBytes()],
    () => [writes(buyerUsdc), signs(me)],
  ),
  token(
    'setAuthority to close',
    draw => [6, 3, 1, ...keyOf(draw).toBytes()],
    () => [writes(buyerUsdc), signs(me)],
  ),
  token('closeAccount', () => [9], ofMe),
  token(
    'burn',
    ({ amount }) => [8, ...u64(amount)],
    () => [writes(buyerUsdc), writes(usdcMint), signs(me)],
  ),
  token(
    'burnChecked',
    ({ amount }) => [15, ...u64(amount), 6],
    () => [writes(buyerUsdc), writes(usdcMint), signs(me)],
  ),
  token(
    'mintTo',
    ({ amount }) => [7, ...u64(amount)],
    draw => [writes(usdcMint), writes(keyOf(draw)), signs(me)],
  ),
  token(
    'mintToChecked',
    ({ amount }) => [14, ...u64(amount), 6],
    draw => [writes(usdcMint), writes(keyOf(draw)), signs(me)],
  ),
  token(
    'freezeAccount',
    () => [10],
    () => [writes(buyerUsdc), reads(usdcMint), signs(me)],
  ),
  token(
    'thawAccount',
    () => [11],
    () => [writes(buyerUsdc), reads(usdcMint), signs(me)],
  ),
  token(
    'syncNative',
    () => [17],
    () => [writes(buyerUsdc)],
  ),
  token(
    'initializeAccount3',
    draw => [18, ...keyOf(draw).toBytes()],
    draw => [writes(keyOf(draw)), reads(usdcMint)],
  ),
  token(
    'initializeMultisig',
    () => [2, 1],
    draw => [writes(buyerUsdc), reads(sysvar), reads(keyOf(draw))],
  ),
  token('batch of others', ({ amount }) => [255, 3, 9, 3, ...u64(amount)], ofMe),
  token2022('transferChecked', ({ amount }) => [12, ...u64(amount), 6], checked),
  token2022('transferCheckedWithFee', ({ amount }) => [26, 1, ...u64(amount), 6, ...u64(amount)], checked),
  token2022(
    'withdrawWithheldTokens',
    () => [26, 3, 1],
    draw => [writes(usdcMint), writes(keyOf(draw)), signs(me)],
  ),
  token2022(
    'transfer hook',
    draw => [36, 1, ...keyOf(draw).toBytes()],
    () => [writes(usdcMint), signs(me)],
  ),
  token2022(
    'permanent delegate',
    draw => [35, ...keyOf(draw).toBytes()],
    () => [writes(usdcMint)],
  ),
  token2022(
    'cpi guard off',
    () => [34, 1],
    () => [writes(buyerUsdc), signs(me)],
  ),
  token2022('approve', ({ amount }) => [4, ...u64(amount)], ofMe),
  token2022(
    'setAuthority',
    draw => [6, 2, 1, ...keyOf(draw).toBytes()],
    () => [writes(buyerUsdc), signs(me)],
  ),
]

const ofToken = (draw: Draw): Meta[] => [
  signs(me),
  writes(keyOf(draw)),
  reads(keyOf(draw)),
  reads(usdcMint),
  reads(SystemProgram.programId),
  reads(new PublicKey(programs.token)),
]
const guards =
  (...numbers: number[]) =>
  (draw: Draw) =>
    call(
      programs.assertion,
      [numbers[draw.below(numbers.length)] ?? 0, 0, 1],
      [writes(me), reads(new PublicKey(programs.system))],
    )
const programShapes = [
  other('associated token create', programs.associatedToken, [], ofToken),
  other('associated token createIdempotent', programs.associatedToken, [1], ofToken),
  other('associated token recoverNested', programs.associatedToken, [2], ofToken),
  other('stake authorize', known.stake, [...u32(1), ...me.toBytes(), ...u32(1)], draw => [
    writes(keyOf(draw)),
    reads(sysvar),
    signs(me),
  ]),
  other('stake withdraw', known.stake, [...u32(4), ...u64(9n)], draw => [
    writes(keyOf(draw)),
    writes(me),
    reads(sysvar),
    signs(me),
  ]),
  other('vote authorize', known.vote, [...u32(1), ...me.toBytes(), ...u32(1)], draw => [
    writes(keyOf(draw)),
    reads(sysvar),
    signs(me),
  ]),
  other('vote withdraw', known.vote, [...u32(3), ...u64(9n)], draw => [writes(keyOf(draw)), writes(me), signs(me)]),
  other('upgradeable loader upgrade', known.loader, u32(3), draw => [writes(keyOf(draw)), signs(me)]),
  other('upgradeable loader setAuthority', known.loader, u32(4), draw => [writes(keyOf(draw)), signs(me)]),
  other('upgradeable loader close', known.loader, u32(5), draw => [writes(keyOf(draw)), writes(me), signs(me)]),
  other('lookup table created', known.tables, [...u32(0), ...u64(9n), 255], draw => [
    writes(keyOf(draw)),
    signs(me),
    signs(me),
  ]),
  other('lookup table extended', known.tables, [...u32(2), ...u64(1n), ...me.toBytes()], draw => [
    writes(keyOf(draw)),
    signs(me),
  ]),
  other('config stored', known.config, [0], draw => [writes(keyOf(draw)), signs(me)]),
  other('memo of the first version', known.memo1, [104, 105], () => []),
  beside('program of the thief', draw => call(keyOf(draw).toBase58(), [1, 2, 3], [signs(me), writes(buyerUsdc)])),
  beside('program whose name begins like the compute budget', draw =>
    call(alike(programs.computeBudget, draw), [2, ...u32(120_000)]),
  ),
  beside('program whose name begins like the assertions', draw =>
    call(alike(programs.assertion, draw), [5, 0, 1], [signs(me)]),
  ),
  beside('program whose name begins like the memo', draw =>
    call(alike(programs.memo, draw), [...Buffer.from(memo)], [signs(me)]),
  ),
  beside('assertions’ memory written', guards(0)),
  beside('assertions’ memory closed', guards(1)),
  beside('assertions that call other programs', guards(16, 17)),
  beside('assertions that are not known', guards(18, 77, 128, 255)),
  beside('assertions without a number', () => call(programs.assertion, [])),
]

/** A key that shares its first bytes with a program's. */
function alike(program: string, { below }: Draw): string {
  const key = new PublicKey(program).toBytes()
  for (let at = 20; at < 32; at += 1) key[at] = below(256)
  return new PublicKey(key).toBase58()
}

const without = (keys: Meta[], at: number) => keys.filter((_, place) => place !== at)
const withoutPayment = (scene: Scene) => scene.order.slice(0, -1)
const memoAt = 2
const replaced = (scene: Scene, at: number, ...by: TransactionInstruction[]) => [
  ...scene.order.slice(0, at),
  ...by,
  ...scene.order.slice(at + 1),
]
const payment = (scene: Scene, change: { to?: PublicKey; amount?: number } = {}): TransactionInstruction =>
  scene.asset === 'SOL'
    ? solTransfer(change.amount ?? 2_500_000_000, me, change.to?.toBase58() ?? treasury)
    : usdcTransfer(change.amount ?? 375_000_000)
const swapped = (keys: Meta[], at: number, by: PublicKey) =>
  keys.map((key, place) => (place === at ? { ...key, pubkey: by } : key))

const orderShapes = [
  paying('payment of a lamport more', scene =>
    withReferences(payment(scene, { amount: scene.asset === 'SOL' ? 2_500_000_001 : 375_000_001 })),
  ),
  paying('payment of everything', scene => withReferences(payment(scene, { amount: 9_000_000_000_000 }))),
  paying('payment of less', scene => withReferences(payment(scene, { amount: 1 + scene.below(1000) }))),
  keyed('payment to the thief', (keys, scene) => swapped(keys, scene.asset === 'SOL' ? 1 : 2, keyOf(scene))),
  keyed('payment to the buyer', (keys, { asset }) =>
    swapped(keys, asset === 'SOL' ? 1 : 2, asset === 'SOL' ? me : buyerUsdc),
  ),
  keyed('payment from another account', (keys, scene) => swapped(keys, 0, keyOf(scene))),
  keyed('payment of another mint or to a look-alike', (keys, scene) =>
    swapped(keys, 1, new PublicKey(alike(treasury, scene))),
  ),
  keyed('payment signed by another', (keys, scene) => swapped(keys, scene.asset === 'SOL' ? 0 : 3, keyOf(scene))),
  paying('payment with other decimals', () =>
    withReferences(call(programs.token, [12, ...u64(375_000_000n), 9], usdcTransfer().keys)),
  ),
  paying('payment in the other asset', scene => withReferences(scene.asset === 'SOL' ? usdcTransfer() : solTransfer())),
  paying('payment by the other token program', () =>
    withReferences(call(programs.token2022, [12, ...u64(375_000_000n), 6], usdcTransfer().keys)),
  ),
  paying('payment unchecked', () =>
    withReferences(
      call(programs.token, [3, ...u64(375_000_000n)], [writes(buyerUsdc), writes(treasuryUsdc), signs(me)]),
    ),
  ),
  paying('payment with a fee withheld', () =>
    withReferences(call(programs.token2022, [26, 1, ...u64(375_000_000n), 6, ...u64(99n)], usdcTransfer().keys)),
  ),
  instead('payment missing', withoutPayment),
  instead('payment twice', scene => [...scene.order, ...scene.order.slice(-1)]),
  instead('order twice', scene => [...scene.order, ...scene.order]),
  keyed('references missing', keys => keys.slice(0, -references.length)),
  keyed('reference missing', (keys, { below }) => without(keys, keys.length - 1 - below(references.length))),
  keyed('reference more', (keys, scene) => [...keys, reads(keyOf(scene))]),
  keyed('reference twice', keys => [...keys, ...keys.slice(-1)]),
  keyed('references in another order', keys => [
    ...keys.slice(0, -references.length),
    ...keys.slice(-references.length).reverse(),
  ]),
  keyed('reference of another order', (keys, scene) => swapped(keys, keys.length - 1, keyOf(scene))),
  keyed('reference that may be written', keys =>
    keys.map((key, at) => (at === keys.length - 1 ? { ...key, isWritable: true } : key)),
  ),
  keyed('reference that signs', (keys, scene) => [...keys.slice(0, -1), signs(keyOf(scene), false)]),
  instead('memo twice', scene => replaced(scene, memoAt, memoInstruction(), memoInstruction())),
  instead('memo of another order', scene => replaced(scene, memoAt, memoInstruction(memo.replace('5b0e', '5b0f')))),
  instead('memo with a referrer', scene =>
    replaced(scene, memoAt, memoInstruction(`${memo}:${keyOf(scene).toBase58()}`)),
  ),
  instead('memo that accepts nothing', scene => replaced(scene, memoAt, memoInstruction(memo.replace(/:\d+$/, ':0')))),
  instead('memo with a space more', scene => replaced(scene, memoAt, memoInstruction(`${memo} `))),
  instead('memo missing', scene => replaced(scene, memoAt)),
  instead('memo that the buyer signs', scene =>
    replaced(scene, memoAt, call(programs.memo, [...Buffer.from(memo)], [signs(me)])),
  ),
  instead('memo that the thief signs', scene =>
    replaced(scene, memoAt, call(programs.memo, [...Buffer.from(memo)], [signs(keyOf(scene))])),
  ),
  instead('memo that is no text', scene => replaced(scene, memoAt, call(programs.memo, [...Buffer.from(memo), 0xff]))),
]

const feeShapes = [
  instead('compute price that drains', scene => [
    ...budget(1_400_000, 400_000 + scene.below(2_000_000_000)),
    ...scene.order.slice(2),
  ]),
  instead('compute price without a limit', scene => [
    ...budget(0, 2_000_000 + scene.below(1_000_000)).slice(1),
    ...scene.order.slice(2),
  ]),
  instead('compute price twice', scene => [...scene.order, ...budget().slice(1)]),
  instead('compute limit twice', scene => [...scene.order, ...budget().slice(0, 1)]),
  beside('fee asked for the old way', () =>
    call(programs.computeBudget, [0, ...u32(1_400_000), ...u32(4_000_000_000)]),
  ),
  beside('compute price of another length', () => call(programs.computeBudget, [3, ...u64(1n), 0])),
  beside('heap of another length', () => call(programs.computeBudget, [1, ...u32(65_536), 0])),
  beside('compute budget of an unknown number', draw => call(programs.computeBudget, [5 + draw.below(250), ...u32(1)])),
  instead('heap twice', scene => [
    ...scene.order,
    ...[1, 2].map(() => call(programs.computeBudget, [1, ...u32(65_536)])),
  ]),
  instead('loaded data limited twice', scene => [
    ...scene.order,
    ...[1, 2].map(() => call(programs.computeBudget, [4, ...u32(65_536)])),
  ]),
]

const envelopeShapes: Drainer[] = [
  { name: 'blockhash of another time', make: scene => scene.build({ hash: keyOf(scene).toBase58() }) },
  {
    name: 'blockhash of a durable nonce',
    make: scene => {
      const advance = call(programs.system, u32(4), [writes(keyOf(scene)), reads(sysvar), signs(me)])
      return scene.build({ instructions: [advance, ...scene.order], hash: keyOf(scene).toBase58() })
    },
  },
  { name: 'fee paid by the thief', make: scene => scene.build({ payer: keyOf(scene) }) },
  beside('assertion that the thief signs', draw => call(programs.assertion, [6, 0, 1], [signs(keyOf(draw), false)])),
  beside('assertion that two more sign', draw =>
    call(programs.assertion, [6, 0, 1], [signs(keyOf(draw)), signs(new PublicKey(draw.thief.secretKey.slice(0, 32)))]),
  ),
  {
    name: 'treasury out of a lookup table',
    make: scene => scene.build({ tables: [lookupTable([new PublicKey(treasury), treasuryUsdc])] }),
  },
  {
    name: 'references out of a lookup table',
    make: scene => scene.build({ tables: [lookupTable(references.map(one => new PublicKey(one)))] }),
  },
  {
    name: 'assertion with an account out of a lookup table',
    make: scene => {
      const asserts = call(programs.assertion, [6, 0, 1], [reads(keyOf(scene))])
      return scene.build({ instructions: [...scene.order, asserts], tables: [lookupTable([keyOf(scene)])] })
    },
  },
  bytes('byte at the end', from => [...from, 0]),
  bytes('second transaction at the end', from => [...from, ...from.slice(0, 400)]),
  bytes('bytes cut off', (from, { below }) => Array.from(from.slice(0, -1 - below(60)))),
  bytes('number of signatures written longer than it is', from => [0x81, 0, ...from.slice(1)]),
  bytes('number of signatures beyond 16 bits', from => [0x81, 0x80, 4, ...from.slice(1)]),
  bytes('no signature at all', from => [0, ...from.slice(65)]),
  bytes('signature more than it asks for', from => [2, ...from.slice(1, 65), ...from.slice(1)]),
  bytes('version that is not known', (from, { below }) => [
    ...from.slice(0, 65),
    0x81 + below(126),
    ...from.slice(from[65] === 0x80 ? 66 : 65),
  ]),
  bytes('second signer in the header', from => headed(from, 0, 2)),
  bytes('fee payer that may not be charged', from => headed(from, 1, 1)),
  bytes('more accounts read-only than there are', from => headed(from, 2, 255)),
  bytes('account twice', from => {
    const at = (from[65] === 0x80 ? 66 : 65) + 4
    const [second, third] = [at + 32, at + 64]
    return [...from.slice(0, third), ...from.slice(second, third), ...from.slice(third + 32)]
  }),
  bytes('signature that is empty', from => [1, ...new Uint8Array(64), ...from.slice(65)], 'signed'),
  bytes(
    'signature of something else',
    (from, { below }) => [1, ...Uint8Array.from({ length: 64 }, () => 1 + below(255)), ...from.slice(65)],
    'signed',
  ),
]

/** One number of the header. */
function headed(from: Uint8Array, place: 0 | 1 | 2, value: number): number[] {
  const at = (from[65] === 0x80 ? 66 : 65) + place
  return [...from.slice(0, at), value, ...from.slice(at + 1)]
}

export const drainers: readonly Drainer[] = [
  ...systemShapes,
  ...tokenShapes,
  ...programShapes,
  ...orderShapes,
  ...feeShapes,
  ...envelopeShapes,
]
