/** Honest orders, what wallets may add to them, drainers in disguise, and the two checks that judge them. */
import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token'
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { Fault } from '../../src/runtime/failure.ts'
import { nextRandom, seeded } from '../../src/runtime/core/generator.ts'
import { checkBuilt, checkSigned, type ExpectedOrder } from '../../src/worker/chains/solana/check.ts'
import { decodeTransaction } from '../../src/worker/chains/solana/decode.ts'
import { programs } from '../../src/worker/chains/solana/programs.ts'
import { memoryBytes } from '../../src/worker/drivers/bytes.ts'
import { readSigned } from '../../src/worker/drivers/walletconnect/signed.ts'
import { buildOrder } from '../../src/worker/drivers/solana/order/build.ts'
import { createVerify } from '../../src/worker/drivers/walletconnect/verify.ts'
import {
  blockhash,
  budget,
  buyer,
  buyerKey,
  buyerUsdc,
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
import type { Drainer, Scene } from './drainers.ts'
import { bytesOf, call, reads, signedBy, u32, writes } from './make.ts'

const order = { buyer: buyerKey, memo, blockhash, fee: '125000' }
const expected: Record<'SOL' | 'USDC', ExpectedOrder> = {
  SOL: { ...order, transfer: { kind: 'transfer', from: buyerKey, to: treasury, lamports: '2500000000', references } },
  USDC: {
    ...order,
    transfer: {
      kind: 'tokenTransfer',
      source: buyerUsdc.toBase58(),
      mint: usdc,
      destination: treasuryUsdc.toBase58(),
      owner: buyerKey,
      amount: '375000000',
      decimals: 6,
      references,
    },
  },
}

/** The same payments as transfers: without a memo; the token's one creates the recipient's account. */
const asTransfer: Record<'SOL' | 'USDC', ExpectedOrder> = {
  SOL: { ...expected.SOL, memo: '' },
  USDC: { ...expected.USDC, memo: '', createdFor: treasury },
}
const creation = createAssociatedTokenAccountIdempotentInstruction(
  buyer.publicKey,
  treasuryUsdc,
  new PublicKey(treasury),
  new PublicKey(usdc),
)

/** @returns the instructions of a purchase as a transfer has them: its own memo is gone, any other stays */
function transferOf(asset: 'SOL' | 'USDC', all: TransactionInstruction[]): TransactionInstruction[] {
  const own = memoInstruction().data.toString('hex')
  const isOwn = ({ programId, data, keys }: TransactionInstruction) =>
    programId.toBase58() === programs.memo && keys.length === 0 && data.toString('hex') === own
  const at = all.findIndex(isOwn)
  return at < 0 ? all : [...all.slice(0, at), ...(asset === 'USDC' ? [creation] : []), ...all.slice(at + 1)]
}

/** Made once, because a key takes longer than the rest of a disguise. */
const thieves = Array.from({ length: 8 }, (_, at) => Keypair.fromSeed(new Uint8Array(32).fill(100 + at)))

type Below = (limit: number) => number
const chance = (seed: string): Below => {
  const state = seeded(seed)
  return limit => nextRandom(state) % limit
}
const honest = (asset: 'SOL' | 'USDC'): TransactionInstruction[] => [
  ...budget(),
  memoInstruction(),
  withReferences(asset === 'SOL' ? solTransfer() : usdcTransfer()),
]

/** An assertion as wallets add them, with readable accounts. */
function guard(below: Below): TransactionInstruction {
  const places = [
    buyer.publicKey,
    buyerUsdc,
    new PublicKey(treasury),
    new PublicKey(Uint8Array.from({ length: 32 }, () => below(256))),
  ]
  const keys = places.slice(0, below(places.length + 1)).map(key => (below(2) === 0 ? reads(key) : writes(key)))
  return call(programs.assertion, [2 + below(14), ...Array.from({ length: below(40) }, () => below(256))], keys)
}

/** Instructions as returned by an honest wallet: its own settings, assertions before and after. */
function dressed([, , ...rest]: TransactionInstruction[], below: Below): TransactionInstruction[] {
  const units = 1 + below(1_400_000)
  const settings = [
    ...budget(units, 1 + below(Math.floor(500_000_000_000 / units))),
    call(programs.computeBudget, [1, ...u32(32_768 * (1 + below(8)))]),
    call(programs.computeBudget, [4, ...u32(65_536 + below(1_000_000))]),
  ].filter((_, at) => (at === 1 ? true : below(3) > 0))
  // Without a limit the price applies to 200 000 units for each instruction
  const all = settings[0]?.data[0] === 2 ? settings : settings.filter(({ data }) => data[0] !== 3)
  const before = Array.from({ length: below(3) }, () => guard(below))
  const behind = Array.from({ length: below(3) }, () => guard(below))
  return [...(below(2) === 0 ? all : all.reverse()), ...before, ...rest, ...behind]
}

const verify = createVerify()
/** Whether these bytes may go to a wallet. */
export function isAsked({ bytes, as }: Judged): boolean {
  try {
    return checkBuilt(decodeTransaction(bytes), as).ok
  } catch (cause) {
    if (cause instanceof Fault) return false
    throw cause
  }
}
/** Whether these bytes may be sent when a wallet returns them. */
export async function isSent({ bytes, as }: Judged): Promise<boolean> {
  try {
    const { decoded } = await readSigned(bytes, 'order-1', { store: memoryBytes(), verify })
    return checkSigned(decoded, as).ok
  } catch (cause) {
    if (cause instanceof Fault) return false
    throw cause
  }
}

type Change = (instructions: TransactionInstruction[]) => TransactionInstruction[]

function sceneOf(below: Below, dress: Change, isTransfer = false): Scene {
  const asset = below(2) === 0 ? 'SOL' : 'USDC'
  const change: Change = all => dress(isTransfer ? transferOf(asset, all) : all)
  const thief = thieves[below(thieves.length)] ?? buyer
  const version = below(2) === 0 ? 'legacy' : 0
  const instructions = honest(asset)
  return {
    asset,
    thief,
    below,
    amount: BigInt(1 + below(4_000_000_000)),
    order: instructions,
    build: shape =>
      bytesOf({
        payer: buyer.publicKey,
        version,
        ...shape,
        instructions: change([...(shape?.instructions ?? instructions)]),
      }),
  }
}

/** Only drainers that leave the settings alone are disguised: otherwise the disguise would replace the attack. */
const keepsSettings = (instructions: TransactionInstruction[]) =>
  instructions.filter(({ programId }) => programId.toBase58() === programs.computeBudget).length === 2 &&
  instructions[1]?.data.toString('hex') === budget()[1]?.data.toString('hex')

/** Drainers that take nothing but the memo: a transfer has none to lose. */
export const harmless: readonly string[] = ['memo missing']

/** Bytes, and the order that they have to be. */
export type Judged = { bytes: Uint8Array; as: ExpectedOrder }

/** @returns makers of the hostile bytes: before a wallet's request, unless only a wallet makes them, and as it signs them in disguise */
export function disguised({ make, only }: Drainer, seed: string, isTransfer = false) {
  const as = isTransfer ? asTransfer : expected
  const asked = (): Judged => {
    const scene = sceneOf(chance(seed), all => all, isTransfer)
    return { bytes: make(scene), as: as[scene.asset] }
  }
  const sent = (): Judged => {
    const below = chance(`${seed} dressed`)
    const scene = sceneOf(below, all => (below(4) > 0 && keepsSettings(all) ? dressed(all, below) : all), isTransfer)
    const bytes = make(scene)
    return { bytes: only === 'signed' ? bytes : signedBy(bytes, buyer, scene.thief), as: as[scene.asset] }
  }
  return { sent, ...(only !== 'signed' && { asked }) }
}

/** @returns a transaction that an honest wallet signed after additions of its own */
export function dressedOrder(seed: string): Judged {
  const below = chance(seed)
  const scene = sceneOf(below, all => dressed(all, below))
  return { bytes: signedBy(scene.build(), buyer), as: expected[scene.asset] }
}

/** @returns any order as the page builds it, unsigned */
export function builtOrder(seed: string): Judged {
  const below = chance(seed)
  const limit = 20_000 + below(180_001)
  const price = BigInt(below(2_500_000))
  const units = BigInt(1 + below(4_000_000_000))
  const payment =
    below(2) === 0
      ? ({ kind: 'native', to: treasury, units } as const)
      : ({
          kind: 'spl',
          source: buyerUsdc.toBase58(),
          mint: usdc,
          to: treasuryUsdc.toBase58(),
          units,
          decimals: 6,
        } as const)
  const fee = String(5000n + (BigInt(limit) * price + 999_999n) / 1_000_000n)
  const transfer =
    payment.kind === 'native'
      ? { ...expected.SOL.transfer, lamports: String(units) }
      : { ...expected.USDC.transfer, amount: String(units) }
  return {
    bytes: buildOrder({ account: buyerKey, blockhash, limit, price, memo, payment, references }),
    as: { ...order, fee, transfer } as ExpectedOrder,
  }
}
