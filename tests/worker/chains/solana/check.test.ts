import {
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  createTransferInstruction,
  AuthorityType,
} from '@solana/spl-token'
import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { checkBuilt, checkSigned, type ExpectedOrder, priorityFee } from '../../../../src/worker/chains/solana/check.ts'
import { decodeTransaction } from '../../../../src/worker/chains/solana/decode.ts'
import { programs } from '../../../../src/worker/chains/solana/programs.ts'
import {
  blockhash,
  budget,
  buyer,
  buyerKey,
  buyerUsdc,
  legacyBytes,
  lookupTable,
  memo,
  memoInstruction,
  orderInstructions,
  references,
  solTransfer,
  treasury,
  treasuryUsdc,
  usdc,
  usdcTransfer,
  v0Bytes,
  withReferences,
} from './exampleOrder.ts'

const expected: ExpectedOrder = {
  buyer: buyerKey,
  memo,
  blockhash,
  fee: '125000',
  transfer: { kind: 'transfer', from: buyerKey, to: treasury, lamports: '2500000000', references },
}
const expectedUsdc: ExpectedOrder = {
  ...expected,
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
}
const stranger = Keypair.fromSeed(new Uint8Array(32).fill(99))
const guard = (number: number) =>
  new TransactionInstruction({
    programId: new PublicKey(programs.assertion),
    keys: [{ pubkey: new PublicKey(treasury), isSigner: false, isWritable: false }],
    data: Buffer.of(number, 0, 1),
  })
const check = (instructions: TransactionInstruction[], order = expected) =>
  checkSigned(decodeTransaction(legacyBytes(instructions)), order)
const fields = (instructions: TransactionInstruction[], order = expected) => {
  const result = check(instructions, order)
  return result.ok ? [] : result.differences.map(one => one.field)
}
const beside = (instructions: TransactionInstruction[]) => {
  const result = check([...orderInstructions(), ...instructions])
  return result.ok ? [] : result.differences.filter(one => one.field === 'instruction').map(one => one.got)
}

describe('what a transaction does', () => {
  test('the order in SOL is read as two settings, one memo and one transfer with its references', () => {
    expect(decodeTransaction(legacyBytes(orderInstructions()))).toEqual({
      feePayer: buyerKey,
      blockhash,
      instructions: [
        { kind: 'computeLimit', units: 120_000 },
        { kind: 'computePrice', microLamports: '1000000' },
        { kind: 'memo', text: memo },
        { kind: 'transfer', from: buyerKey, to: treasury, lamports: '2500000000', references },
      ],
      signers: [buyerKey],
    })
  })

  test('the order in USDC is read with mint, decimals and owner', () => {
    const { instructions } = decodeTransaction(v0Bytes([memoInstruction(), withReferences(usdcTransfer())]))
    expect(instructions[1]).toEqual(expectedUsdc.transfer)
  })

  test('an account out of a lookup table makes an instruction unknown', () => {
    const bytes = v0Bytes(orderInstructions(), [lookupTable([new PublicKey(treasury)])])
    const decoded = decodeTransaction(bytes)
    expect(decoded.instructions.at(-1)).toEqual({ kind: 'other', program: programs.system, name: 'transfer' })
    expect(checkSigned(decoded, expected)).toMatchObject({ ok: false, code: 'wallet_changed_tx' })
  })

  test('a reference that signs or is writable is no reference', () => {
    const disguised = solTransfer()
    disguised.keys.push({ pubkey: stranger.publicKey, isSigner: false, isWritable: true })
    const [instruction] = decodeTransaction(legacyBytes([disguised])).instructions
    expect(instruction).toEqual({ kind: 'other', program: programs.system, name: 'transfer' })
  })

  test('a memo that is not UTF-8, or that names an account, is unknown', () => {
    const broken = memoInstruction()
    broken.data = Buffer.of(0xff)
    const named = memoInstruction()
    named.keys.push({ pubkey: buyer.publicKey, isSigner: true, isWritable: false })
    for (const instruction of decodeTransaction(legacyBytes([broken, named])).instructions) {
      expect(instruction).toEqual({ kind: 'other', program: programs.memo })
    }
  })
})

describe('a signed transaction is sent', () => {
  test('when it is as built, in SOL and in USDC', () => {
    expect(check(orderInstructions())).toEqual({ ok: true })
    expect(check([...budget(), memoInstruction(), withReferences(usdcTransfer())], expectedUsdc)).toEqual({ ok: true })
  })

  test('when the wallet changed its own fee within the cap, or added assertions', () => {
    const changed = [
      ...budget(200_000, 2_500_000),
      memoInstruction(),
      withReferences(solTransfer()),
      guard(5),
      guard(9),
    ]
    expect(check(changed)).toEqual({ ok: true })
    const loaded = ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 })
    expect(check([loaded, ...orderInstructions()])).toEqual({ ok: true })
  })

  test('when there are no settings at all', () => {
    expect(check([memoInstruction(), withReferences(solTransfer())])).toEqual({ ok: true })
  })
})

describe('a signed transaction is not sent', () => {
  test.each<[string, TransactionInstruction[], string[]]>([
    ['a lamport more', [memoInstruction(), withReferences(solTransfer(2_500_000_001))], ['transfer.lamports']],
    [
      'another receiver',
      [memoInstruction(), withReferences(solTransfer(2_500_000_000, buyer.publicKey, usdc))],
      ['transfer.to'],
    ],
    [
      'another payer',
      [memoInstruction(), withReferences(solTransfer(2_500_000_000, stranger.publicKey))],
      ['signers', 'transfer.from'],
    ],
    ['a changed memo', [memoInstruction(`${memo}0`), withReferences(solTransfer())], ['memo']],
    ['no memo', [withReferences(solTransfer())], ['memos']],
    ['a second memo', [...orderInstructions(), memoInstruction('hi')], ['memos']],
    [
      'a missing reference',
      [memoInstruction(), withReferences(solTransfer(), references.slice(1))],
      ['transfer.references'],
    ],
    [
      'references in another order',
      [memoInstruction(), withReferences(solTransfer(), [...references].reverse())],
      ['transfer.references'],
    ],
    [
      'a second transfer',
      [...orderInstructions(), solTransfer(1, buyer.publicKey, stranger.publicKey.toBase58())],
      ['transfers'],
    ],
    ['no transfer', [memoInstruction()], ['transfers']],
    [
      'a token transfer in place of SOL',
      [memoInstruction(), withReferences(usdcTransfer())],
      expect.arrayContaining(['transfer.kind', 'transfer.lamports']),
    ],
    [
      'a fee above the cap',
      [...budget(500_001, 1_000_000), memoInstruction(), withReferences(solTransfer())],
      ['priorityFee'],
    ],
    [
      'a fee above the cap without a limit',
      [
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
        memoInstruction(),
        withReferences(solTransfer()),
      ],
      ['priorityFee'],
    ],
    ['two limits', [...budget(), ...orderInstructions()], ['computeLimit', 'computePrice']],
  ])('with %s', (_name, instructions, differences) => {
    expect(fields(instructions)).toEqual(differences)
    expect(check(instructions)).toMatchObject({ ok: false, code: 'wallet_changed_tx' })
  })

  test.each<[string, TransactionInstruction, string]>([
    [
      'its account given away',
      SystemProgram.assign({ accountPubkey: buyer.publicKey, programId: stranger.publicKey }),
      'system assign',
    ],
    [
      'an account created',
      SystemProgram.createAccount({
        fromPubkey: buyer.publicKey,
        newAccountPubkey: stranger.publicKey,
        lamports: 1,
        space: 0,
        programId: stranger.publicKey,
      }),
      'system createAccount',
    ],
    [
      'a nonce advanced',
      SystemProgram.nonceAdvance({ noncePubkey: stranger.publicKey, authorizedPubkey: buyer.publicKey }),
      'system advanceNonceAccount',
    ],
    [
      'a delegate approved',
      createApproveInstruction(buyerUsdc, stranger.publicKey, buyer.publicKey, 1),
      'token approve',
    ],
    [
      'an owner changed',
      createSetAuthorityInstruction(buyerUsdc, buyer.publicKey, AuthorityType.AccountOwner, stranger.publicKey),
      'token setAuthority',
    ],
    [
      'an account closed',
      createCloseAccountInstruction(buyerUsdc, stranger.publicKey, buyer.publicKey),
      'token closeAccount',
    ],
    [
      'tokens moved unchecked',
      createTransferInstruction(buyerUsdc, treasuryUsdc, buyer.publicKey, 1),
      'token transfer',
    ],
    [
      'a token account paid for',
      createAssociatedTokenAccountIdempotentInstruction(
        buyer.publicKey,
        buyerUsdc,
        buyer.publicKey,
        new PublicKey(usdc),
      ),
      'associatedToken createIdempotent',
    ],
    ['an assertion account written, which costs rent', guard(0), 'assertion memoryWrite'],
    [
      'the old fee request',
      new TransactionInstruction({ programId: ComputeBudgetProgram.programId, keys: [], data: Buffer.alloc(9) }),
      'computeBudget requestUnits',
    ],
    [
      'a program nobody knows',
      new TransactionInstruction({ programId: stranger.publicKey, keys: [], data: Buffer.of(1) }),
      stranger.publicKey.toBase58(),
    ],
  ])('with %s', (_name, instruction, name) => {
    expect(beside([instruction])).toEqual([name])
  })

  test('with a newer blockhash, whose expiry could not be proved', () => {
    const decoded = { ...decodeTransaction(legacyBytes(orderInstructions())), blockhash: usdc }
    expect(checkSigned(decoded, expected)).toEqual({
      ok: false,
      code: 'wallet_changed_tx',
      differences: [{ of: 'word', field: 'blockhash', expected: blockhash, got: usdc }],
    })
  })

  test('with another fee payer for the same payment', () => {
    const bytes = legacyBytes(orderInstructions(), stranger.publicKey)
    expect(checkSigned(decodeTransaction(bytes), expected)).toMatchObject({ ok: false, code: 'wallet_changed_tx' })
  })

  test('from another account, which has its own name', () => {
    const instructions = [memoInstruction(), withReferences(solTransfer(2_500_000_000, stranger.publicKey))]
    const result = checkSigned(decodeTransaction(legacyBytes(instructions, stranger.publicKey)), expected)
    expect(result).toMatchObject({ ok: false, code: 'account_changed' })
  })
})

describe('a built transaction is checked before the wallet’s request', () => {
  const built = (instructions: TransactionInstruction[], order = expected) => {
    const result = checkBuilt(decodeTransaction(legacyBytes(instructions)), order)
    return result.ok ? [] : result.differences.map(one => one.field)
  }

  test('and passes as these four instructions at the displayed fee, in SOL and in USDC', () => {
    expect(built(orderInstructions())).toEqual([])
    expect(built([...budget(), memoInstruction(), withReferences(usdcTransfer())], expectedUsdc)).toEqual([])
  })

  test.each<[string, TransactionInstruction[], string[]]>([
    ['an assertion more', [...orderInstructions(), guard(5)], ['instructions']],
    ['a setting less', orderInstructions().slice(1), ['instructions', 'fee']],
    ['its instructions in another order', orderInstructions().reverse(), ['instructions']],
    ['another fee than was shown', [...budget(120_000, 999_000), ...orderInstructions().slice(2)], ['fee']],
    ['a second transfer', [...orderInstructions(), solTransfer(1)], ['transfers', 'instructions']],
  ])('and fails with %s', (_name, instructions, differences) => {
    expect(built(instructions)).toEqual(differences)
  })

  test('and may carry an assertion where the sale asks for one, and nothing else of that program', () => {
    const guarded = (number: number) => [...budget(), guard(number), ...orderInstructions().slice(2)]
    expect(built(guarded(5), { ...expected, mayAssert: true })).toEqual([])
    expect(built(guarded(5))).toEqual(['instructions'])
    for (const number of [0, 1, 18])
      expect(built(guarded(number), { ...expected, mayAssert: true })).toEqual(['instruction'])
  })

  test('and fails when the tokens go to another account than the treasury’s, or leave another than the buyer’s', () => {
    const swapped = withReferences(usdcTransfer())
    for (const place of [0, 2]) {
      const [, , third] = swapped.keys
      if (third) swapped.keys[place] = { ...third, pubkey: stranger.publicKey }
    }
    const fields = built([...budget(), memoInstruction(), swapped], expectedUsdc)
    expect(fields).toEqual(['transfer.source', 'transfer.destination'])
  })

  test('and fails with a fee above the cap, whatever fee was displayed', () => {
    const dear = [...budget(500_001, 1_000_000), ...orderInstructions().slice(2)]
    expect(built(dear, { ...expected, fee: '505001' })).toEqual(['fee'])
  })
})

describe('what a wallet may add', () => {
  test.each([0, 1, 16, 17, 18, 77, 255])('is not instruction %i of the assertion program', number => {
    expect(beside([guard(number)])).toHaveLength(1)
  })

  test.each(Array.from({ length: 14 }, (_, at) => at + 2))('is assertion %i of the assertion program', number => {
    expect(check([...orderInstructions(), guard(number)])).toEqual({ ok: true })
  })

  test('is no signer', () => {
    const asks = guard(6)
    asks.keys.push({ pubkey: stranger.publicKey, isSigner: true, isWritable: false })
    expect(fields([...orderInstructions(), asks])).toEqual(['signers'])
  })

  test('is no lookup table, even for an assertion alone', () => {
    const asks = guard(6)
    asks.keys = [{ pubkey: stranger.publicKey, isSigner: false, isWritable: false }]
    const bytes = v0Bytes([...orderInstructions(), asks], [lookupTable([stranger.publicKey])])
    const result = checkSigned(decodeTransaction(bytes), expected)
    expect(result.ok ? [] : result.differences.map(one => one.field)).toEqual(['lookup tables'])
  })

  test('is a higher fee up to ten times the displayed one, and never more than 500 000 lamports', () => {
    const shown = { ...expected, fee: '6000' }
    const priced = (lamports: number) => [
      ...budget(1_000_000, lamports),
      memoInstruction(),
      withReferences(solTransfer()),
    ]
    expect(fields(priced(60_000), shown)).toEqual([])
    expect(fields(priced(60_001), shown)).toEqual(['priorityFee'])
    expect(fields(priced(500_001), { ...expected, fee: '505000' })).toEqual(['priorityFee'])
  })

  test('is no setting twice, and none of another length than the chain takes', () => {
    const heap = ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 })
    expect(fields([heap, heap, ...orderInstructions()])).toEqual(['requestHeapFrame'])
    const longer = new TransactionInstruction({ ...heap, data: Buffer.of(...heap.data, 0) })
    expect(beside([longer])).toEqual(['computeBudget'])
  })
})

test('solana check: the priority fee is rounded up, and never counts more units than can run', () => {
  const fee = (units: number | undefined, microLamports: string) =>
    priorityFee({
      feePayer: buyerKey,
      blockhash,
      instructions: [
        ...(units === undefined ? [] : [{ kind: 'computeLimit' as const, units }]),
        { kind: 'computePrice', microLamports },
      ],
    })
  expect(fee(300_000, '20000000')).toBe(6_000_000n)
  expect(fee(1, '1')).toBe(1n)
  expect(fee(4_000_000, '1000000')).toBe(1_400_000n)
  expect(fee(undefined, '1000000')).toBe(200_000n)
})
