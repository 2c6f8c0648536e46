/** An unmodified web3.js `Connection` and spl-token against the local chain. */
import {
  createAssociatedTokenAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token'
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base58, fromBase58, sha256 } from '../stack/solana/bytes.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const memo = (text: string) => new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(text) })

let stack: SolanaStack
let connection: Connection
let payer: Keypair

/** A key from one byte, so that every run sends the same bytes. */
const keyOf = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte))

beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'contracts' })
  stack.control({ advanceOnSend: 1 })
  connection = new Connection(stack.url, 'confirmed')
  payer = keyOf(1)
  stack.give(payer.publicKey.toBase58(), { sol: '100' })
  stack.chain.advance(1)
})
afterAll(() => stack.close())

/**
 * Signs, sends and waits for the confirmation over the socket. Fetches a blockhash each time: `Connection` caches one for 30 s
 * of real time, in which this chain may have advanced 200 slots.
 */
async function confirmed(transaction: Transaction, ...signers: Keypair[]): Promise<string> {
  const latest = await connection.getLatestBlockhash()
  transaction.feePayer = payer.publicKey
  transaction.recentBlockhash = latest.blockhash
  transaction.sign(payer, ...signers)
  const signature = await connection.sendRawTransaction(transaction.serialize())
  await connection.confirmTransaction({ signature, ...latest }, 'confirmed')
  return signature
}

async function versioned(
  instructions: TransactionInstruction[],
  tables: Parameters<TransactionMessage['compileToV0Message']>[0] = [],
) {
  const { blockhash } = await connection.getLatestBlockhash()
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message(tables))
  transaction.sign([payer])
  return transaction
}

describe('the node', () => {
  test('names itself, its genesis, and heights that differ from slots', async () => {
    expect(await connection.getGenesisHash()).toBe(stack.info.genesisHash)
    expect((await connection.getVersion())['solana-core']).toBe('4.0.0')
    expect(await connection.getBlockHeight()).toBeLessThan(await connection.getSlot())
    const { context, value } = await connection.getLatestBlockhashAndContext()
    const height = await connection.getBlockHeight()
    expect(value.lastValidBlockHeight).toBe(height + 150)
    expect((await connection.isBlockhashValid(value.blockhash)).value).toBe(true)
    expect(context.slot).toBe(await connection.getSlot())
    expect((await connection.getEpochInfo()).absoluteSlot).toBe(context.slot)
  })

  test('keeps confirmed one slot and finalized thirty-two slots behind', async () => {
    const [processed, level, final] = await Promise.all(
      (['processed', 'confirmed', 'finalized'] as const).map(commitment => connection.getSlot(commitment)),
    )
    expect([(processed ?? 0) - (level ?? 0), (processed ?? 0) - (final ?? 0)]).toEqual([1, 32])
  })

  test('answers rent, fees and prioritisation fees', async () => {
    const rents = await Promise.all([0, 82, 165].map(size => connection.getMinimumBalanceForRentExemption(size)))
    expect(rents).toEqual([890_880, 1_461_600, 2_039_280])
    const { blockhash } = await connection.getLatestBlockhash()
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: keyOf(2).publicKey, lamports: 1 })
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2_000_000 })
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 10_001 })
    const instructions = [limit, price, transfer]
    const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions })
    expect((await connection.getFeeForMessage(message.compileToLegacyMessage())).value).toBe(5_000 + 20_002)
    expect((await connection.getRecentPrioritizationFees()).length).toBe(150)
  })
})

describe('money moves', () => {
  test('an airdrop arrives and is a real transaction', async () => {
    const signature = await connection.requestAirdrop(keyOf(3).publicKey, 2 * LAMPORTS_PER_SOL)
    expect(await connection.getBalance(keyOf(3).publicKey, 'confirmed')).toBe(0)
    stack.chain.advance(1)
    expect(await connection.getBalance(keyOf(3).publicKey, 'confirmed')).toBe(2 * LAMPORTS_PER_SOL)
    expect((await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta?.err).toBeNull()
  })

  test('a legacy transfer is sent, confirmed over the socket, and charged its fee', async () => {
    const before = await connection.getBalance(payer.publicKey)
    const to = keyOf(4).publicKey
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL })
    const signature = await sendAndConfirmTransaction(connection, new Transaction().add(transfer), [payer])
    expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL)
    expect(await connection.getBalance(payer.publicKey)).toBe(before - LAMPORTS_PER_SOL - 5_000)
    const { value } = await connection.getSignatureStatus(signature)
    expect(value).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 1, err: null })
  })

  test('a version 0 transfer needs a reader who knows version 0', async () => {
    const to = keyOf(5).publicKey
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 })
    const signature = await connection.sendTransaction(await versioned([transfer]))
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(found?.version).toBe(0)
    expect(found?.meta?.postBalances[1]).toBe(1_000_000)
    await expect(connection.getTransaction(signature)).rejects.toThrow('is not supported by the requesting client')
  })

  test('a lookup table is usable from the slot after it was extended', async () => {
    const slot = await connection.getSlot('confirmed')
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: slot,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: payer.publicKey,
      payer: payer.publicKey,
      addresses: [keyOf(6).publicKey],
    })
    await confirmed(new Transaction().add(create, extend))
    const { value } = await connection.getAddressLookupTable(table)
    if (!value) throw new Error('no lookup table')
    const to = keyOf(6).publicKey
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 })
    const signature = await connection.sendTransaction(await versioned([transfer], [value]))
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(found?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.toBase58()])
    const inWords = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(inWords?.transaction.message.accountKeys.at(-1)).toMatchObject({ source: 'lookupTable', writable: true })
    expect(await connection.getSignaturesForAddress(to)).toHaveLength(1)
  })

  test('a durable nonce outlives its blockhash and works once', async () => {
    const nonce = keyOf(7)
    const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    await confirmed(
      SystemProgram.createNonceAccount({
        fromPubkey: payer.publicKey,
        noncePubkey: nonce.publicKey,
        authorizedPubkey: payer.publicKey,
        lamports,
      }),
      nonce,
    )
    const stored = await connection.getAccountInfo(nonce.publicKey)
    const nonceInfo = {
      nonce: NonceAccount.fromAccountData(stored?.data ?? Buffer.alloc(0)).nonce,
      nonceInstruction: SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey }),
    }
    const to = keyOf(8).publicKey
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo, minContextSlot: 0 }).add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 }),
    )
    transaction.sign(payer)
    stack.chain.advance(200)
    const signature = await connection.sendRawTransaction(transaction.serialize())
    expect(await connection.getBalance(to)).toBe(1_000_000)
    // The next value is of the blockhash of the block before
    const slot = stack.chain.ledger.get(signature)?.slot ?? 0
    stack.chain.advance(32)
    const { previousBlockhash } =
      (await connection.getBlock(slot, { transactionDetails: 'none', rewards: false })) ?? {}
    expect(previousBlockhash).toBe(stack.chain.blocks.at(slot - 1)?.blockhash)
    const next = NonceAccount.fromAccountData(
      (await connection.getAccountInfo(nonce.publicKey))?.data ?? Buffer.alloc(0),
    ).nonce
    expect(next).toBe(base58(sha256('DURABLE_NONCE', fromBase58(previousBlockhash ?? '') ?? '')))
    await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('Blockhash not found')
  })
})

describe('tokens', () => {
  test.each([
    ['the token program', TOKEN_PROGRAM_ID, 10],
    ['Token-2022', TOKEN_2022_PROGRAM_ID, 13],
  ])('%s: a mint, token accounts and a checked transfer', async (_name, programId, byte) => {
    const mint = keyOf(byte)
    const owner = keyOf(byte + 1).publicKey
    const from = getAssociatedTokenAddressSync(mint.publicKey, payer.publicKey, false, programId)
    const to = getAssociatedTokenAddressSync(mint.publicKey, owner, false, programId)
    const rent = await connection.getMinimumBalanceForRentExemption(82)
    await confirmed(
      new Transaction().add(
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: mint.publicKey,
          lamports: rent,
          space: 82,
          programId,
        }),
        createInitializeMint2Instruction(mint.publicKey, 6, payer.publicKey, null, programId),
        createAssociatedTokenAccountInstruction(payer.publicKey, from, payer.publicKey, mint.publicKey, programId),
        createMintToInstruction(mint.publicKey, from, payer.publicKey, 5_000_000n, [], programId),
      ),
      mint,
    )
    const signature = await confirmed(
      new Transaction().add(
        createAssociatedTokenAccountInstruction(payer.publicKey, to, owner, mint.publicKey, programId),
        createTransferCheckedInstruction(from, mint.publicKey, to, payer.publicKey, 1_500_000n, 6, [], programId),
      ),
    )
    expect((await getAccount(connection, to, 'confirmed', programId)).amount).toBe(1_500_000n)
    expect((await getMint(connection, mint.publicKey, 'confirmed', programId)).supply).toBe(5_000_000n)
    expect((await connection.getTokenAccountBalance(from)).value.uiAmountString).toBe('3.5')
    const owned = await connection.getParsedTokenAccountsByOwner(owner, { mint: mint.publicKey })
    expect(owned.value.map(entry => entry.account.data.parsed.info.tokenAmount.amount)).toEqual(['1500000'])

    const found = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(found?.meta?.preTokenBalances).toHaveLength(1)
    expect(found?.meta?.postTokenBalances).toHaveLength(2)
    expect(found?.meta?.innerInstructions?.[0]?.instructions.length).toBeGreaterThan(0)
    expect(found?.transaction.message.instructions[1]).toMatchObject({ parsed: { type: 'transferChecked' } })
  })
})

describe('history', () => {
  test('a read-only reference key finds its transaction with the memo, newest first, page by page', async () => {
    const reference = keyOf(20).publicKey
    const signatures: string[] = []
    for (const text of ['first', 'second', 'third']) {
      const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 0 })
      transfer.keys.push({ pubkey: reference, isSigner: false, isWritable: false })
      signatures.unshift(await confirmed(new Transaction().add(memo(text), transfer)))
    }
    const found = await connection.getSignaturesForAddress(reference)
    expect(found.map(entry => entry.signature)).toEqual(signatures)
    expect(found.map(entry => entry.memo)).toEqual(['[5] third', '[6] second', '[5] first'])
    const [newest, middle, oldest] = signatures
    const page = (options: { before?: string; until?: string; limit?: number }) =>
      connection.getSignaturesForAddress(reference, options).then(list => list.map(entry => entry.signature))
    expect(await page({ limit: 1 })).toEqual([newest])
    expect(await page({ before: newest ?? '' })).toEqual([middle, oldest])
    expect(await page({ until: middle ?? '' })).toEqual([newest])
  })

  test('signature lists have the index in the block, unless the node is an older one', async () => {
    const ask = async () => {
      const params = [payer.publicKey.toBase58(), { commitment: 'confirmed', limit: 1 }]
      const request = { jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress', params }
      const answer = await fetch(stack.url, { method: 'POST', body: JSON.stringify(request) })
      return ((await answer.json()) as { result: Record<string, unknown>[] }).result[0] ?? {}
    }
    expect(await ask()).toHaveProperty('transactionIndex', 0)
    stack.control({ transactionIndex: false })
    expect(await ask()).not.toHaveProperty('transactionIndex')
    stack.control({ transactionIndex: true })
  })

  test('a block lists its transactions in the order they ran', async () => {
    stack.control({ advanceOnSend: 0 })
    const { blockhash } = await connection.getLatestBlockhash()
    const signatures: string[] = []
    for (const text of ['one', 'two', 'three']) {
      const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 })
      transaction.add(memo(text)).sign(payer)
      signatures.push(await connection.sendRawTransaction(transaction.serialize()))
    }
    const slot = stack.chain.blocks.tip().slot
    stack.chain.advance(1)
    stack.control({ advanceOnSend: 1 })
    expect((await connection.getBlockSignatures(slot)).signatures).toEqual(signatures)
    const block = await connection.getBlock(slot, { maxSupportedTransactionVersion: 0 })
    expect(block?.transactions.map(entry => entry.transaction.signatures[0])).toEqual(signatures)
    expect(await connection.getBlockTime(slot)).toBe(block?.blockTime)
    const parsed = await connection.getParsedTransactions(signatures, { maxSupportedTransactionVersion: 0 })
    expect(parsed.map(entry => entry?.slot)).toEqual([slot, slot, slot])
  })

  test('final comes thirty-two slots later, and balances read at that level lag as well', async () => {
    const to = keyOf(21).publicKey
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 2_000_000 })
    const signature = await confirmed(new Transaction().add(transfer))
    expect(
      await connection.getTransaction(signature, { commitment: 'finalized', maxSupportedTransactionVersion: 0 }),
    ).toBeNull()
    expect(await connection.getBalance(to, 'finalized')).toBe(0)
    stack.chain.advance(31)
    const { value } = await connection.getSignatureStatus(signature)
    expect(value).toMatchObject({ confirmationStatus: 'finalized', confirmations: null })
    expect(await connection.getBalance(to, 'finalized')).toBe(2_000_000)
  })
})

describe('sockets', () => {
  test('an account, slots and logs are notified as they change', async () => {
    const to = keyOf(22).publicKey
    const told = { lamports: [] as number[], slots: [] as number[], logs: [] as string[] }
    let enough: () => void = () => {}
    const everything = new Promise<void>(resolve => {
      enough = () => {
        if (told.lamports.length > 0 && told.slots.length > 0 && told.logs.length > 0) resolve()
      }
    })
    const ids = [
      connection.onAccountChange(to, account => void (told.lamports.push(account.lamports), enough())),
      connection.onSlotChange(info => void (told.slots.push(info.slot), enough())),
      connection.onLogs(to, logs => void (told.logs.push(logs.signature), enough())),
    ] as const
    await subscribed(3)
    const signature = stack.give(to.toBase58(), { sol: '1.5' })[0]
    stack.chain.advance(1)
    await everything
    expect(told.lamports).toEqual([1_500_000_000])
    expect(told.slots).toEqual([stack.chain.blocks.tip().slot])
    expect(told.logs).toEqual([signature])
    await connection.removeAccountChangeListener(ids[0])
    await connection.removeSlotChangeListener(ids[1])
    await connection.removeOnLogsListener(ids[2])
  })
})

/** Waits until the node has counted this many subscriptions, polling between turns of the event loop. */
async function subscribed(count: number): Promise<void> {
  for (;;) {
    const state = (await (await fetch(`${stack.url}/state`)).json()) as { calls: Record<string, number> }
    const { accountSubscribe = 0, slotSubscribe = 0, logsSubscribe = 0 } = state.calls
    if (accountSubscribe + slotSubscribe + logsSubscribe >= count) return
  }
}
