/** A transfer in the deciders' tests: its request, its bytes and a wallet's signature of them. */
import type { EffectData } from '../../../../src/events/effect.ts'
import type { BuiltOrder } from '../../../../src/events/subjects/order/order.ts'
import { builtOf } from '../../../../src/events/subjects/order/order.ts'
import type { DecodedInstruction, DecodedTransaction } from '../../../../src/events/values/solana/transaction.ts'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { programs } from '../../../../src/worker/chains/solana/programs.ts'
import { account, connected, other, theOrder } from '../../story.ts'
import type { World } from '../../world.ts'

export const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const newMint = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'
const sourceOf = (token: string) => `${token.slice(0, 6)} of ${account}`

export const tokens = [
  { mint, program: programs.token, decimals: 6, account: sourceOf(mint), amount: '9000000000' },
  { mint: newMint, program: programs.token2022, decimals: 6, account: sourceOf(newMint), amount: '7000000' },
]

/** A connected wallet whose tokens are read. */
export function readyToSend(
  features: ('signTransaction' | 'signAndSendTransaction')[] = ['signTransaction'],
  changes: Parameters<typeof connected>[1] = {},
): World {
  const world = connected(features, changes)
  world.command('send.open', {})
  const amounts = { SOL: '20000000000', USDC: '9000000000' }
  world.answer('chain.readBalances', 'chain.balances', { account, slot: 2000, amounts, tokens })
  return world
}

export function request(changes: Partial<InputData<'send.request'>> = {}): InputData<'send.request'> {
  return { orderKey: '00ff00ff00ff00ff', asset: 'SOL', amount: '1.5', recipient: other, confirmed: [], ...changes }
}

type Send = EffectData['chain.prepareSend']['send']

function paymentOf({
  account: from,
  to,
  units,
  mint: token,
  program,
  source = '',
  decimals,
  orderKey,
}: Send): DecodedInstruction {
  const references = [`send-${orderKey}`]
  if (token === undefined) return { kind: 'transfer', from, to, lamports: units, references }
  const destination = `${token.slice(0, 6)} of ${to}`
  const moved = { source, mint: token, destination, owner: from, amount: units, decimals, references }
  return { kind: 'tokenTransfer', ...moved, ...(program === programs.token2022 && { program }) }
}

/** Content of a transfer's bytes; `isNew`: it creates the recipient's token account. */
export function decodedSend(send: Send, blockhash = 'hash-1', isNew = false): DecodedTransaction {
  const { account: payer, to: owner, mint: token = '', program = '' } = send
  const creation = { kind: 'createTokenAccount' as const, payer, account: `${token.slice(0, 6)} of ${owner}`, owner }
  return {
    feePayer: payer,
    blockhash,
    instructions: [
      { kind: 'computeLimit', units: 20_000 },
      { kind: 'computePrice', microLamports: '0' },
      ...(isNew ? [{ ...creation, mint: token, program }] : []),
      paymentOf(send),
    ],
    signers: [payer],
  }
}

/** The answer to `chain.prepareSend`: bytes that expire at height 150. */
export function preparedSend(
  { orderId, send }: EffectData['chain.prepareSend'],
  { blockhash = 'hash-1', isNew = false } = {},
): InputData<'chain.sendPrepared'> {
  const { orderKey, to, mint: token } = send
  return {
    orderId,
    bytesRef: `unsigned-${blockhash}`,
    blockhash,
    validUntilHeight: 150,
    slot: 1000,
    fee: '5000',
    unitsConsumed: 9000,
    decoded: decodedSend(send, blockhash, isNew),
    reference: `send-${orderKey}`,
    ...(token !== undefined && { destination: `${token.slice(0, 6)} of ${to}` }),
    ...(isNew && { rent: '2039280' }),
  }
}

/** Requests a transfer and has it built: it waits for a press. */
export function shown(world: World, changes: Partial<InputData<'send.request'>> = {}, isNew = false): void {
  world.command('send.request', request(changes))
  const asked = world.last('chain.prepareSend').data
  world.answer('chain.prepareSend', 'chain.sendPrepared', preparedSend(asked, { isNew }))
}

/** Shows a transfer, and presses for it: the wallet is asked. */
export function pressed(world: World, changes: Partial<InputData<'send.request'>> = {}, isNew = false): void {
  shown(world, changes, isNew)
  world.command('order.continue', { orderId: theOrder(world).orderId })
}

/** A wallet's answer that signs the transaction unchanged. */
export function signedSend(world: World): InputData<'wallet.signed'> {
  const { blockhash, creates } = builtOf(theOrder(world)) as BuiltOrder
  const { send } = world.last('chain.prepareSend').data
  return {
    signature: 'sig-1',
    bytesRef: `signed-${blockhash}`,
    decoded: decodedSend(send, blockhash, creates !== undefined),
  }
}

/** The gate of a transfer reads the height alone. */
export function throughSendGate(world: World, height = 18): ReturnType<World['input']> {
  const { orderId } = theOrder(world)
  world.answer('chain.watch', 'chain.status', { orderId, height, nodeSlot: 2001, heightSlot: 2000 })
  return world.fire(`gate:${orderId}`)
}

/** A signed and sent transfer. */
export function sentOff(world: World, changes: Partial<InputData<'send.request'>> = {}): void {
  pressed(world, changes)
  world.answer('wallet.signTransaction', 'wallet.signed', signedSend(world))
  throughSendGate(world)
}
