/** A compromised builder: what it brings is compared with the order and the terms before any wallet hears of it. */
import { builtOf } from '../../../../src/events/subjects/order/order.ts'
import { describe, expect, test } from 'vitest'
import type { DecodedInstruction } from '../../../../src/events/values/solana/transaction.ts'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { connected, decodedOf, intent, other, preparedOf, theOrder } from '../../story.ts'
import type { World } from '../../world.ts'

type Prepared = InputData<'chain.orderPrepared'>
type Change = (prepared: Prepared) => Prepared

const thief = '8YiSCNNh1SEDn4C3LHuABytuVSdtkrYVL4GRfKLtWSDa'
const changed =
  (change: (one: DecodedInstruction) => DecodedInstruction): Change =>
  prepared => ({
    ...prepared,
    decoded: { ...prepared.decoded, instructions: prepared.decoded.instructions.map(change) },
  })
const of = (kind: DecodedInstruction['kind'], fields: object) =>
  changed(one => (one.kind === kind ? ({ ...one, ...fields } as DecodedInstruction) : one))
const beside =
  (...more: DecodedInstruction[]): Change =>
  prepared => ({
    ...prepared,
    decoded: { ...prepared.decoded, instructions: [...prepared.decoded.instructions, ...more] },
  })
const both =
  (...changes: Change[]): Change =>
  prepared =>
    changes.reduce((made, change) => change(made), prepared)

/** Presses buy with USDC; the builder's answer comes altered. */
function built(change: Change, features: ('signTransaction' | 'signAndSendTransaction')[]): World {
  const world = connected(features)
  const usdc = { asset: 'USDC', units: '400000000', min: '1' }
  world.command('order.place', intent(world, usdc))
  const prepared = preparedOf(world.last('chain.prepareOrder').data)
  world.answer('chain.prepareOrder', 'chain.orderPrepared', change(prepared))
  return world
}

const steal: DecodedInstruction = { kind: 'transfer', from: other, to: thief, lamports: '15000000000', references: [] }
const attacks: [string, Change][] = [
  ['to the thief’s token account', of('tokenTransfer', { destination: thief })],
  ['from another token account', of('tokenTransfer', { source: thief })],
  ['of another mint', of('tokenTransfer', { mint: thief })],
  ['with other decimals', of('tokenTransfer', { decimals: 9 })],
  ['with a reference less', of('tokenTransfer', { references: ['presale-ref'] })],
  ['with a second transfer', beside(steal)],
  ['with an authority given away', beside({ kind: 'other', program: thief, name: 'setAuthority' })],
  ['with an assertion, which only a wallet may add', beside({ kind: 'computeLimit', units: 1 })],
  [
    'with another memo, which the builder names too',
    both(of('memo', { text: 'mai1:x' }), one => ({ ...one, memo: 'mai1:x' })),
  ],
  ['at 18 SOL of priority fee', of('computePrice', { microLamports: '900000000000' })],
  [
    'at 18 SOL of priority fee that is shown',
    both(of('computePrice', { microLamports: '900000000000' }), one => ({ ...one, fee: '18000005000' })),
  ],
  ['asking a second signer', one => ({ ...one, decoded: { ...one.decoded, signers: [one.decoded.feePayer, thief] } })],
  ['paid by another', one => ({ ...one, decoded: { ...one.decoded, feePayer: thief } })],
  ['with another blockhash than its own', one => ({ ...one, decoded: { ...one.decoded, blockhash: thief } })],
  ['under another reference', one => ({ ...one, orderRef: thief })],
  ['without keys that were derived', ({ derived: _, ...one }) => one],
]

describe.each([['signTransaction'], ['signAndSendTransaction']] as const)('a wallet with %s', feature => {
  test.each(attacks)('never hears of what was built %s', (_name, change) => {
    const world = built(change, [feature])
    expect(theOrder(world)).toMatchObject({
      phase: 'simulationFailed',
      failure: { code: 'treasury_mismatch', facts: { rule: 'BUILT' } },
    })
    expect(world.ordered('wallet.signTransaction')).toEqual([])
    expect(world.ordered('wallet.signAndSendTransaction')).toEqual([])
    expect(world.ordered('chain.readSale')).toHaveLength(1)
    expect(world.last('bytes.forget').data.refs).toEqual(['unsigned-hash-1'])
  })
})

test('expected order: one in USDC built as agreed reaches the wallet', () => {
  const world = built(prepared => prepared, ['signTransaction'])
  const { order } = world.last('chain.prepareOrder').data
  expect(theOrder(world).phase).toBe('awaitingSignature')
  expect(builtOf(theOrder(world))?.transfer).toEqual(decodedOf(order).instructions[3])
})
