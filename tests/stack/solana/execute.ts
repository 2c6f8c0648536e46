import type { Accounts } from './accounts.ts'
import type { Blocks } from './blocks.ts'
import { BLOCKHASH_LIFE } from './blocks.ts'
import { base58, base64, concat, fromBase58, readLittleEndian, sha256 } from './bytes.ts'
import type { TransactionError } from './errors.ts'
import { feeOf } from './fees.ts'
import type { Ledger, TokenBalance, TransactionRecord } from './ledger.ts'
import { LOOKUP_TABLE, MEMO, MEMO_V1, SYSTEM } from './programs.ts'
import { readMint, readTokenAccount } from './tokens.ts'
import type { Account, Outcome, Vm } from './vm.ts'
import { isWritable, type WireTransaction } from './wire.ts'

/** State read and written by execution. */
export type World = { vm: Vm; accounts: Accounts; blocks: Blocks; ledger: Ledger }

/** The base58 signature of the fee payer, which names the transaction. */
export const signatureOf = (transaction: WireTransaction): string =>
  base58(transaction.signatures[0] ?? new Uint8Array(64))

/**
 * Reason why a well-formed transaction may not run now: its blockhash is unknown or over 150 blocks old and it advances no
 * durable nonce, or it ran before.
 */
export function refusal(world: World, transaction: WireTransaction): TransactionError | undefined {
  const block = world.blocks.byHash(transaction.blockhash)
  const recent = block !== undefined && world.blocks.tip().height - block.height <= BLOCKHASH_LIFE
  if (!recent && !advancesNonce(world, transaction)) return 'BlockhashNotFound'
  return world.ledger.get(signatureOf(transaction)) ? 'AlreadyProcessed' : undefined
}

/** First instruction is AdvanceNonceAccount and the nonce stored there is the message's blockhash. */
function advancesNonce(world: World, transaction: WireTransaction): boolean {
  const first = transaction.instructions[0]
  if (!first || transaction.addresses[first.program] !== SYSTEM || readLittleEndian(first.data, 0, 4) !== 4n)
    return false
  const place = first.accounts[0]
  const address = place === undefined ? undefined : transaction.addresses[place]
  if (place === undefined || !address || !isWritable(transaction, place)) return false
  const value = nonceIn(world.accounts.now(address))
  // A nonce advances once in a block
  return value === transaction.blockhash && value !== nextNonce(world)
}

function nonceIn(account: Account | undefined): string | undefined {
  if (account?.owner !== SYSTEM || account.data.length !== 80 || readLittleEndian(account.data, 4, 4) !== 1n)
    return undefined
  return base58(account.data.slice(40, 72))
}

/** The value of a nonce that advances in the newest block: of its parent's blockhash, as on live clusters. */
function nextNonce({ blocks }: World): string {
  return nonceAfter(blocks.at(blocks.tip().parent)?.blockhash ?? base58(new Uint8Array(32)))
}

function nonceAfter(blockhash: string): string {
  return base58(sha256('DURABLE_NONCE', fromBase58(blockhash) ?? new Uint8Array(0)))
}

/** The VM makes the next value of a nonce from the blockhash of the transaction itself. */
function mendNonces(world: World, { blockhash }: WireTransaction, addresses: readonly string[]): void {
  for (const address of addresses) {
    const account = world.accounts.now(address)
    if (!account || nonceIn(account) !== nonceAfter(blockhash)) continue
    const value = fromBase58(nextNonce(world)) ?? new Uint8Array(32)
    const data = concat(account.data.slice(0, 40), value, account.data.slice(72))
    world.vm.write(address, { ...account, data })
  }
}

/** Looked-up keys of a version 0 transaction; unreadable tables yield none, and the VM reports why. */
export function lookedUp(accounts: Accounts, transaction: WireTransaction): { writable: string[]; readonly: string[] } {
  const loaded = { writable: [] as string[], readonly: [] as string[] }
  for (const lookup of transaction.lookups) {
    const table = accounts.now(lookup.table)
    if (table?.owner !== LOOKUP_TABLE) continue
    const key = (place: number) => base58(table.data.slice(56 + 32 * place, 88 + 32 * place))
    const known = (place: number) => table.data.length >= 88 + 32 * place
    loaded.writable.push(...lookup.writable.filter(known).map(key))
    loaded.readonly.push(...lookup.readonly.filter(known).map(key))
  }
  return loaded
}

/**
 * Runs a transaction that passed `refusal` and records it.
 *
 * @returns the outcome; if it landed, with its ledger record in the newest block
 */
export function execute(world: World, transaction: WireTransaction): { outcome: Outcome; record?: TransactionRecord } {
  const { vm, accounts, blocks, ledger } = world
  const loaded = lookedUp(accounts, transaction)
  const addresses = [...transaction.addresses, ...loaded.writable, ...loaded.readonly]
  const before = addresses.map(address => accounts.now(address))
  const tokensBefore = tokenBalances(accounts, addresses)
  const outcome = vm.send(transaction)
  if (!outcome.landed) return { outcome }
  mendNonces(world, transaction, addresses)

  const block = blocks.tip()
  addresses.forEach((address, place) => {
    const staticKeys = transaction.keys.length
    const writable = place < staticKeys ? isWritable(transaction, place) : place < staticKeys + loaded.writable.length
    if (!writable) return
    accounts.remember(address, before[place], block.slot)
    accounts.indexed(address)
  })
  const record: TransactionRecord = {
    signature: signatureOf(transaction),
    slot: block.slot,
    index: block.signatures.length,
    time: block.time,
    bytes: base64(transaction.bytes),
    version: transaction.version,
    err: outcome.err,
    fee: Number(feeOf(transaction)),
    units: Number(outcome.units),
    logs: outcome.logs,
    ...calls(outcome),
    addresses,
    loaded,
    before: before.map(account => (account?.lamports ?? 0n).toString()),
    after: addresses.map(address => (accounts.now(address)?.lamports ?? 0n).toString()),
    tokensBefore,
    tokensAfter: tokenBalances(accounts, addresses),
    memo: memoOf(transaction),
  }
  block.signatures.push(record.signature)
  ledger.add(record)
  return { outcome, record }
}

/** Inner instructions and returned data of an outcome, as the ledger keeps them. */
export function calls(outcome: Outcome): Pick<TransactionRecord, 'inner' | 'returnData'> {
  const inner = outcome.inner
    .map((list, index) => ({ index, instructions: list.map(call => ({ ...call, data: base58(call.data) })) }))
    .filter(entry => entry.instructions.length > 0)
  const { returnData } = outcome
  return {
    inner,
    returnData: returnData ? { programId: returnData.program, data: [base64(returnData.data), 'base64'] } : null,
  }
}

function tokenBalances(accounts: Accounts, addresses: string[]): TokenBalance[] {
  return addresses.flatMap((address, accountIndex) => {
    const account = accounts.now(address)
    const token = readTokenAccount(account)
    if (!account || !token) return []
    const decimals = readMint(accounts.now(token.mint))?.decimals ?? 0
    const { mint, owner } = token
    return [{ accountIndex, mint, owner, programId: account.owner, amount: token.amount.toString(), decimals }]
  })
}

/** Memos as signature lists show them: the length in bytes in brackets, then the text; several joined by "; ". */
function memoOf(transaction: WireTransaction): string | null {
  const memos = transaction.instructions
    .filter(({ program }) => [MEMO, MEMO_V1].includes(transaction.addresses[program] ?? ''))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`)
  return memos.length > 0 ? memos.join('; ') : null
}

/** Whether text is base58 of a 64-byte signature. */
export const isSignature = (text: unknown): text is string =>
  typeof text === 'string' && fromBase58(text, 100)?.length === 64
