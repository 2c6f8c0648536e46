/** Transfers on the local chain: SOL, tokens of both programs, recipients and tokens that are refused. */
import {
  AccountState,
  createInitializeDefaultAccountStateInstruction,
  createInitializeMint2Instruction,
  createInitializeNonTransferableMintInstruction,
  createInitializeTransferFeeConfigInstruction,
  createInitializeTransferHookInstruction,
  ExtensionType,
  getMintLen,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SendToBuild } from '../../../../src/events/effect.ts'
import { shownSend } from '../../../../src/events/subjects/order/sends.ts'
import { mostTokens } from '../../../../src/events/subjects/sale/balance.ts'
import { encodeBase58 } from '../../../../src/events/values/solana/base58.ts'
import { associatedTokenAddress } from '../../../../src/worker/chains/solana/ata.ts'
import { programs } from '../../../../src/worker/chains/solana/programs.ts'
import { sendRef } from '../../../../src/worker/chains/solana/references.ts'
import { messageBytes, withSignature } from '../../../../src/worker/chains/solana/wire.ts'
import { type BytesStore, memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { createSolanaDriver } from '../../../../src/worker/drivers/solana/solana.ts'
import { readSigned } from '../../../../src/worker/drivers/walletconnect/signed.ts'
import { createVerify } from '../../../../src/worker/drivers/walletconnect/verify.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import type { Drive } from '../../../../src/runtime/host/driver.ts'
import { giveToken as giveAnyToken } from '../../../stack/solana/anyToken.ts'
import { type Keypair, seededKeypair } from '../../../stack/solana/keys.ts'
import { createAccount, type Instruction } from '../../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { readTokenAccount } from '../../../stack/solana/tokens.ts'
import { createWorld, type World } from '../../world.ts'
import { answerOf, ask, failureOf } from '../harness.ts'

let stack: SolanaStack
let bytes: BytesStore
let drivers: { [type: string]: Drive }
let people = 0
let mints = 0
/** monotonic time of the device, ms */
let passedMs = 0

/** Others pay this for a compute unit, µlamports. */
let othersPay = 0
const busy: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const text = await response.text()
  return new Response(text.replace(/"prioritizationFee":0/g, `"prioritizationFee":${othersPay}`), response)
}

beforeAll(async () => {
  stack = await startSolana({ seed: 'send driver', clock: 'manual' })
})
afterAll(async () => {
  await stack?.close()
})
beforeEach(() => {
  stack.control({ faults: {} })
  othersPay = 0
  bytes = memoryBytes()
  drivers = createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    http: createHttp({ wait: async () => {}, fetch: busy }),
    bytes,
    now: () => 0,
    passed: () => passedMs,
  })
})

function person(sol?: string): Keypair {
  people += 1
  const made = seededKeypair('send driver tests', `person ${people}`)
  if (sol !== undefined) stack.give(made.address, { sol })
  stack.chain.advance(2)
  return made
}

const plain = ({ programId, keys, data }: TransactionInstruction): Instruction => ({
  program: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
    address: pubkey.toBase58(),
    ...(isSigner && { signer: true }),
    ...(isWritable && { writable: true }),
  })),
  data: Uint8Array.from(data),
})

type Extension = { type: ExtensionType; begin(mint: PublicKey, authority: PublicKey): TransactionInstruction }
const feeOf = (points: number): Extension => ({
  type: ExtensionType.TransferFeeConfig,
  begin: (mint, authority) =>
    createInitializeTransferFeeConfigInstruction(mint, authority, authority, points, 1_000_000n, TOKEN_2022_PROGRAM_ID),
})
const hookOf = (program: PublicKey): Extension => ({
  type: ExtensionType.TransferHook,
  begin: (mint, authority) => createInitializeTransferHookInstruction(mint, authority, program, TOKEN_2022_PROGRAM_ID),
})
const untransferable: Extension = {
  type: ExtensionType.NonTransferable,
  begin: mint => createInitializeNonTransferableMintInstruction(mint, TOKEN_2022_PROGRAM_ID),
}
const frozenAtFirst: Extension = {
  type: ExtensionType.DefaultAccountState,
  begin: mint => createInitializeDefaultAccountStateInstruction(mint, AccountState.Frozen, TOKEN_2022_PROGRAM_ID),
}

/** A mint of either program with 6 decimals, its authority the faucet. */
function newMint(program: PublicKey, extensions: Extension[] = [], decimals = 6): string {
  mints += 1
  const mint = seededKeypair('send driver tests', `mint ${mints}`)
  const { faucet, vm } = stack.chain
  const space = program.equals(TOKEN_PROGRAM_ID) ? 82 : getMintLen(extensions.map(({ type }) => type))
  const key = new PublicKey(mint.address)
  const authority = new PublicKey(faucet.address)
  const shape = { lamports: BigInt(vm.minimumRent(space)), space, owner: program.toBase58() }
  stack.chain.run(
    [
      createAccount(faucet.address, mint.address, shape),
      ...extensions.map(({ begin }) => plain(begin(key, authority))),
      plain(createInitializeMint2Instruction(key, decimals, authority, authority, program)),
    ],
    [faucet, mint],
  )
  return mint.address
}

const giveToken = (owner: string, mint: string, program: string, amount: bigint) =>
  giveAnyToken(stack.chain, owner, mint, program, amount)

function sendOf(sender: Keypair, to: string, change: Partial<SendToBuild> = {}): SendToBuild {
  return {
    orderKey: '5b0e9d7c31f4a826',
    account: sender.address,
    to,
    units: '250000000',
    decimals: 9,
    confirmed: [],
    recent: [],
    genesisHash: stack.info.genesisHash,
    ...change,
  }
}

const prepare = (send: SendToBuild) =>
  answerOf(drivers, 'chain.prepareSend', { orderId: 'order1', send }, 'chain.sendPrepared')
const refused = (send: SendToBuild) => failureOf(drivers, 'chain.prepareSend', { orderId: 'order1', send })

/** Signs prepared bytes and submits them. */
async function paid(
  sender: Keypair,
  prepared: { bytesRef: string },
): Promise<{ signature: string; signedRef: string }> {
  const unsigned = (await bytes.get(prepared.bytesRef)) ?? new Uint8Array()
  const signature = sender.sign(messageBytes(unsigned))
  const signedRef = await bytes.put(withSignature(unsigned, sender.address, signature), 'order-1')
  await answerOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: true }, 'chain.submitted')
  return { signature: encodeBase58(signature), signedRef }
}

const lamportsOf = (address: string) => stack.chain.accounts.now(address)?.lamports ?? 0n
const heldBy = (owner: string, mint: string, program: string) =>
  readTokenAccount(stack.chain.accounts.now(associatedTokenAddress(owner, mint, program)))?.amount ?? 0n

describe('a transfer of SOL', () => {
  test('moves exactly its amount, costs exactly the shown fee, and is found by its reference', async () => {
    const sender = person('2')
    const to = person().address
    const prepared = await prepare(sendOf(sender, to))
    expect(prepared.decoded.instructions.map(({ kind }) => kind)).toEqual(['computeLimit', 'computePrice', 'transfer'])
    expect(prepared.reference).toBe(sendRef(sender.address, '5b0e9d7c31f4a826'))
    expect(prepared.rent).toBeUndefined()
    const { signature, signedRef } = await paid(sender, prepared)
    expect(lamportsOf(to)).toBe(250_000_000n)
    expect(lamportsOf(sender.address)).toBe(2_000_000_000n - 250_000_000n - BigInt(prepared.fee))

    // The same bytes again land no second time
    await answerOf(drivers, 'chain.submit', { orderId: 'order1', bytesRef: signedRef, first: false }, 'chain.submitted')
    expect(lamportsOf(to)).toBe(250_000_000n)
    stack.chain.advance(40)
    const where = { orderId: 'order1', orderRef: prepared.reference, account: sender.address, fromSlot: prepared.slot }
    const found = await answerOf(drivers, 'chain.watch', { ...where, search: true }, 'chain.status')
    expect(found.landed).toMatchObject([{ signature, status: 'finalized', decoded: prepared.decoded }])
  })

  test('costs what others pay, up to a limit, and no more than the fee that was shown', async () => {
    const sender = person('2')
    const send = sendOf(sender, person('1').address)
    const { fee } = await prepare(send)
    othersPay = 1_000_000
    expect(BigInt((await prepare(send)).fee)).toBeGreaterThan(BigInt(fee))
    expect((await prepare({ ...send, mostFee: fee })).fee).toBe(fee)
    othersPay = 20_000_000_000
    const dear = await prepare(send)
    expect(BigInt(dear.fee)).toBeLessThanOrEqual(505_000n)
    await paid(sender, await prepare({ ...send, mostFee: dear.fee }))
  })

  test.each([
    ['more than the account holds', { units: '2000000000' }, 'insufficient_sol'],
    ['so much that too little stays', { units: '1999900000' }, 'rent'],
  ])('of %s is refused before the wallet hears of it', async (_name, change, code) => {
    expect(await refused(sendOf(person('2'), person('1').address, change))).toMatchObject({ code })
  })

  test('to a new account of less than its rent is refused, and names the recipient', async () => {
    const failure = await refused(sendOf(person('2'), person().address, { units: '1000' }))
    expect(failure).toMatchObject({ code: 'rent', facts: { whose: 'recipient', minimum: '890880' } })
  })

  test('on another chain than it is for is refused', async () => {
    const failure = await refused(sendOf(person('2'), person('1').address, { genesisHash: programs.memo }))
    expect(failure.code).toBe('wrong_cluster')
  })
})

describe.each([
  ['the classic program', TOKEN_PROGRAM_ID, 2_039_280n],
  ['Token-2022', TOKEN_2022_PROGRAM_ID, 2_074_080n],
] as const)('a transfer of a token of %s', (_name, id, rent) => {
  const program = id.toBase58()
  const ofToken = (sender: Keypair, to: string, mint: string, change: Partial<SendToBuild> = {}) =>
    sendOf(sender, to, {
      units: '1500000',
      decimals: 6,
      mint,
      program,
      source: associatedTokenAddress(sender.address, mint, program),
      ...change,
    })

  test('creates the missing account at the shown rent, which the sender pays, and moves exactly its amount', async () => {
    const mint = newMint(id)
    const sender = person('1')
    const to = person().address
    giveToken(sender.address, mint, program, 9_000_000n)
    const prepared = await prepare(ofToken(sender, to, mint))
    expect(prepared).toMatchObject({ rent: String(rent), destination: associatedTokenAddress(to, mint, program) })
    await paid(sender, prepared)
    expect([heldBy(to, mint, program), heldBy(sender.address, mint, program)]).toEqual([1_500_000n, 7_500_000n])
    expect(lamportsOf(sender.address)).toBe(1_000_000_000n - BigInt(prepared.fee) - rent)
  })

  test('to an account that is there creates none', async () => {
    const mint = newMint(id)
    const [sender, to] = [person('1'), person('1').address]
    giveToken(sender.address, mint, program, 9_000_000n)
    giveToken(to, mint, program, 1n)
    const prepared = await prepare(ofToken(sender, to, mint))
    expect(prepared.rent).toBeUndefined()
    expect(prepared.decoded.instructions.map(({ kind }) => kind)).not.toContain('createTokenAccount')
    await paid(sender, prepared)
    expect(heldBy(to, mint, program)).toBe(1_500_001n)
  })

  test('of more than the account holds, without SOL for the rent, or from an account of another is refused', async () => {
    const mint = newMint(id)
    const [sender, poor, to] = [person('1'), person('0.002'), person().address]
    for (const one of [sender, poor]) giveToken(one.address, mint, program, 9_000_000n)
    expect(await refused(ofToken(sender, to, mint, { units: '9000001' }))).toMatchObject({ code: 'insufficient_token' })
    expect(await refused(ofToken(poor, to, mint))).toMatchObject({ code: 'insufficient_sol' })
    const source = associatedTokenAddress(poor.address, mint, program)
    expect(await refused(ofToken(sender, to, mint, { source }))).toMatchObject({ code: 'no_token_account' })
    expect(await refused(ofToken(sender, to, mint, { decimals: 9 }))).toMatchObject({ code: 'decimals' })
  })

  test('the tokens of an account are listed with program, decimals and amount', async () => {
    const mint = newMint(id)
    const sender = person('1')
    const account = giveToken(sender.address, mint, program, 9_000_000n)
    const data = { account: sender.address, assets: [{ symbol: 'SOL' }], tokens: true }
    const { amounts, tokens } = await answerOf(drivers, 'chain.readBalances', data, 'chain.balances')
    expect(amounts).toEqual({ SOL: '1000000000' })
    expect(tokens).toEqual([{ mint, program, decimals: 6, account, amount: '9000000' }])
  })
})

describe('of more tokens than a reading lists', () => {
  test('the largest in whole tokens are listed, and a small one that was asked for', async () => {
    const sender = person('1')
    const given = (amount: bigint, decimals: number) => {
      const mint = newMint(TOKEN_PROGRAM_ID, [], decimals)
      giveToken(sender.address, mint, programs.token, amount)
      return mint
    }
    // In base units the strangers' tokens are far larger than the first of the person's own
    const [large, small] = [given(900n, 0), given(500_000n, 6)]
    for (let count = 0; count < mostTokens; count += 1) given(2_000_000_000n, 9)
    const read = async (mint?: string) => {
      const data = { account: sender.address, assets: [], tokens: true as const, ...(mint !== undefined && { mint }) }
      const { tokens = [] } = await answerOf(drivers, 'chain.readBalances', data, 'chain.balances')
      return tokens.map(token => token.mint)
    }
    const [listed, asked] = [await read(), await read(small)]
    expect([listed.length, asked.length]).toEqual([mostTokens, mostTokens])
    expect([listed.includes(large), listed.includes(small)]).toEqual([true, false])
    expect([asked.includes(large), asked.includes(small)]).toEqual([true, true])
    expect(await read(large)).toEqual(listed)
  })
})

describe('a token that is not sent as its amount says', () => {
  const program = TOKEN_2022_PROGRAM_ID.toBase58()
  test.each([
    ['takes a fee', [feeOf(50)], 'TOKEN_FEE'],
    ['runs a program of its own', [hookOf(TOKEN_PROGRAM_ID)], 'TOKEN_HOOK'],
    ['stays where it is', [untransferable], 'TOKEN_NON_TRANSFERABLE'],
    ['is frozen at first', [frozenAtFirst], 'TOKEN_FROZEN'],
  ])('because it %s is refused with its rule', async (_name, extensions, rule) => {
    const mint = newMint(TOKEN_2022_PROGRAM_ID, extensions)
    const sender = person('1')
    const source = associatedTokenAddress(sender.address, mint, program)
    const send = sendOf(sender, person('1').address, { units: '1', decimals: 6, mint, program, source })
    expect(await refused(send)).toMatchObject({ code: 'bad_input', facts: { rule } })
  })

  test('a fee of nothing is none: what arrives is the amount', async () => {
    const mint = newMint(TOKEN_2022_PROGRAM_ID, [feeOf(0)])
    const [sender, to] = [person('1'), person().address]
    const source = giveToken(sender.address, mint, program, 9_000_000n)
    const prepared = await prepare(sendOf(sender, to, { units: '5', decimals: 6, mint, program, source }))
    await paid(sender, prepared)
    expect(heldBy(to, mint, program)).toBe(5n)
    expect(lamportsOf(sender.address)).toBe(1_000_000_000n - BigInt(prepared.fee) - BigInt(prepared.rent ?? 0))
  })
})

describe('a recipient', () => {
  const lookAlike = (address: string) => `${address.slice(0, 4)}${person().address.slice(4, -4)}${address.slice(-4)}`

  test.each([
    ['a name', () => 'maria.sol', 'RECIPIENT'],
    ['an address of another chain', () => `0x${'1'.repeat(40)}`, 'RECIPIENT'],
    ['31 bytes', () => encodeBase58(new Uint8Array(31).fill(7)), 'RECIPIENT'],
    ['33 bytes', () => encodeBase58(new Uint8Array(33).fill(7)), 'RECIPIENT'],
    ['a very long text', () => 'z'.repeat(4000), 'RECIPIENT'],
    ['a mint', () => newMint(TOKEN_PROGRAM_ID), 'RECIPIENT_MINT'],
    ['a mint of Token-2022', () => newMint(TOKEN_2022_PROGRAM_ID, [feeOf(0)]), 'RECIPIENT_MINT'],
    [
      'a token account',
      () => giveToken(person('1').address, newMint(TOKEN_PROGRAM_ID), programs.token, 1n),
      'RECIPIENT_TOKEN_ACCOUNT',
    ],
    [
      'a token account of Token-2022',
      () => giveToken(person('1').address, newMint(TOKEN_2022_PROGRAM_ID), programs.token2022, 1n),
      'RECIPIENT_TOKEN_ACCOUNT',
    ],
    ['a program', () => programs.token, 'RECIPIENT_PROGRAM'],
    ['an account of the system', () => 'SysvarC1ock11111111111111111111111111111111', 'RECIPIENT_NOT_WALLET'],
  ])('that is %s is refused with its rule', async (_name, make, rule) => {
    const to = make()
    stack.chain.advance(2)
    expect(await refused(sendOf(person('2'), to))).toMatchObject({ code: 'bad_input', facts: { rule } })
  })

  test('without a key needs a confirmation: it may be a vault', async () => {
    const sender = person('2')
    const vault = associatedTokenAddress(sender.address, programs.memo)
    expect(await refused(sendOf(sender, vault))).toMatchObject({ facts: { rule: 'RECIPIENT_OFF_CURVE' } })
    expect(await prepare(sendOf(sender, vault, { confirmed: ['offCurve'] }))).toMatchObject({ fee: '5000' })
  })

  test('that looks like an earlier one, or like the sender, needs a confirmation; the same one needs none', async () => {
    const sender = person('2')
    const known = person('1').address
    for (const alike of [lookAlike(known), lookAlike(sender.address)]) {
      const send = sendOf(sender, alike, { recent: [known], confirmed: ['offCurve'] })
      expect(await refused(send)).toMatchObject({ facts: { rule: 'RECIPIENT_LOOKS_ALIKE' } })
      expect(await prepare({ ...send, confirmed: ['offCurve', 'lookAlike'] })).toMatchObject({ orderId: 'order1' })
    }
    expect(await prepare(sendOf(sender, known, { recent: [known] }))).toMatchObject({ orderId: 'order1' })
  })
})

describe('a transfer through the core, on a chain without a sale', () => {
  const features = ['signTransaction'] as const
  const types = ['chain.identify', 'chain.readBalances', 'chain.prepareSend', 'chain.submit', 'chain.watch'] as const
  const theSend = (world: World) => shownSend(world.model.order)

  function walletOf(sender: Keypair): World {
    const world = createWorld()
    world.boot()
    world.attach()
    const { genesisHash } = stack.info
    world.answer('chain.identify', 'chain.identified', { genesisHash, caip2: `solana:${genesisHash.slice(0, 32)}` })
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: { walletId: 'quill', name: 'Quill' } })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [sender.address], features: [...features] })
    return world
  }

  /** Carries out what the core ordered, with a person who presses and a wallet that signs; time passes on both sides. */
  async function carryOn(world: World, sender: Keypair, isLost: boolean): Promise<void> {
    for (const type of types)
      for (const effect of world.ordered(type).filter(({ answered: isDone }) => !isDone)) {
        const said = await ask(drivers, type, effect.data)
        world.answer(type, said.type, said.data as never)
      }
    const { orderId, phase } = theSend(world) ?? {}
    if (phase === 'pressAwaited' && orderId !== undefined) {
      world.command('order.continue', { orderId })
      world.command('order.continue', { orderId })
    }
    const asked = world.ordered('wallet.signTransaction').at(-1)
    if (asked && !asked.answered) {
      const { data } = asked
      const unsigned = (await bytes.get(data.bytesRef)) ?? new Uint8Array()
      const signed = withSignature(unsigned, sender.address, sender.sign(messageBytes(unsigned)))
      const read = await readSigned(signed, orderId ?? '', { store: bytes, verify: createVerify() })
      if (!isLost) world.answer('wallet.signTransaction', 'wallet.signed', read)
    }
    world.pass(2000)
    passedMs += 2000
    stack.chain.advance(5)
  }

  async function sentIn(world: World, sender: Keypair, killAt: number): Promise<void> {
    for (let round = 0; round < 40; round += 1) {
      if (round === killAt) {
        world.kill('lost')
        world.attach()
      }
      await carryOn(world, sender, false)
      const order = theSend(world)
      if (order?.phase === 'finalised' || order?.phase === 'expired') return
    }
  }

  test.each([0, 1, 2, 3, 4, 6, 8, 12])(
    'lands once when the worker dies in round %i, and two presses are one',
    async killAt => {
      const mint = newMint(TOKEN_2022_PROGRAM_ID)
      const [sender, to] = [person('1'), person().address]
      giveToken(sender.address, mint, programs.token2022, 9_000_000n)
      const world = walletOf(sender)
      world.command('send.open', {})
      await carryOn(world, sender, false)
      world.command('send.request', {
        orderKey: '5b0e9d7c31f4a826',
        asset: mint,
        amount: '1.5',
        recipient: to,
        confirmed: [],
      })
      await sentIn(world, sender, killAt)
      await carryOn(world, sender, false)
      expect(theSend(world)).toMatchObject({ phase: 'finalised', units: '1500000', built: { creates: { owner: to } } })
      expect(heldBy(to, mint, programs.token2022)).toBe(1_500_000n)
      expect(world.model.balance[sender.address]?.tokens).toMatchObject([{ mint, amount: '7500000' }])
    },
  )

  test('whose signature is lost is proved expired, and only then may another begin', async () => {
    const [sender, to] = [person('1'), person('1').address]
    const world = walletOf(sender)
    const request = { asset: 'SOL', amount: '0.25', recipient: to, confirmed: [] }
    world.command('send.request', { ...request, orderKey: '5b0e9d7c31f4a826' })
    for (let round = 0; round < 150 && theSend(world)?.phase !== 'expired'; round += 1) {
      await carryOn(world, sender, true)
      if (theSend(world)?.phase === 'unknown')
        expect(world.command('send.request', { ...request, orderKey: '6b0e9d7c31f4a826' }).facts).toEqual([])
    }
    expect(theSend(world)?.phase).toBe('expired')
    expect(lamportsOf(to)).toBe(1_000_000_000n)
    world.command('send.request', { ...request, orderKey: '7b0e9d7c31f4a826' })
    await sentIn(world, sender, -1)
    expect(theSend(world)?.phase).toBe('finalised')
    expect(lamportsOf(to)).toBe(1_250_000_000n)
  })
})
