import { BLOCKHASH_LIFE } from '../blocks.ts'
import { fromBase58, fromBase64 } from '../bytes.ts'
import type { Chain } from '../chain.ts'
import { accountJson } from '../encode.ts'
import { errorSentence, invalidParams, RpcError, type TransactionError } from '../errors.ts'
import { calls, signatureOf } from '../execute.ts'
import { verifySignature } from '../keys.ts'
import { readMint } from '../tokens.ts'
import type { Account, Outcome } from '../vm.ts'
import { MAX_TRANSACTION_BYTES, readTransaction, WireError, type WireTransaction } from '../wire.ts'
import {
  addressesParam,
  addressParam,
  type Call,
  type Config,
  configParam,
  inContext,
  type Method,
  needs,
  seenBlock,
  wholeParam,
} from './params.ts'

/** Methods that run transactions. */
export const sendMethods: Record<string, Method> = {
  sendTransaction(call) {
    needs(call, 1)
    const config = configParam(call.params[1])
    const transaction = transactionParam(call.params[0], config)
    if (config.skipPreflight !== true) preflight(call, config, transaction)
    seenBlock(call, config, 'processed')
    if (call.landing === 'held') call.hold(transaction.bytes)
    if (call.landing === 'now') land(call.chain, transaction)
    return signatureOf(transaction)
  },
  simulateTransaction(call) {
    needs(call, 1)
    const config = configParam(call.params[1])
    const block = seenBlock(call, config)
    const given = transactionParam(call.params[0], config)
    if (config.sigVerify === true && config.replaceRecentBlockhash === true)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    const replaced = config.replaceRecentBlockhash === true
    const transaction = replaced ? withBlockhash(given, block.blockhash) : given
    if (config.sigVerify === true) checkSignatures(transaction)
    const refused = replaced ? undefined : refusalAt(call, config, transaction)
    if (refused) return inContext(block, simulated(refused))
    const outcome = call.chain.simulate(transaction, false)
    const replacement = { blockhash: block.blockhash, lastValidBlockHeight: block.height + BLOCKHASH_LIFE }
    return inContext(block, {
      ...simulated(outcome.err, outcome),
      innerInstructions: config.innerInstructions === true ? innerJson(outcome) : null,
      accounts: accountsAfter(call, config, outcome.after),
      replacementBlockhash: replaced ? replacement : null,
    })
  },
  requestAirdrop(call) {
    needs(call, 2)
    const address = addressParam(call.params[0])
    const lamports = wholeParam(call.params[1])
    if (lamports === 0) throw invalidParams('Invalid params: an airdrop needs at least 1 lamport')
    try {
      return call.chain.airdrop(address, BigInt(lamports))
    } catch (error) {
      throw new RpcError(-32603, `airdrop failed: ${(error as Error).message}`)
    }
  },
}

/** Runs a transaction that may be refused without a word, as one sent past the preflight is. */
export function land(chain: Chain, transaction: WireTransaction): void {
  if (chain.refusal(transaction) === undefined) chain.submit(transaction)
}

function transactionParam(value: unknown, config: Config): WireTransaction {
  if (typeof value !== 'string') throw invalidParams('Invalid params: expected an encoded transaction as a string.')
  const encoding = config.encoding ?? 'base58'
  if (encoding !== 'base58' && encoding !== 'base64')
    throw invalidParams(`unsupported encoding: ${JSON.stringify(encoding)}. Supported encodings: base58, base64`)
  const limit = encoding === 'base58' ? 1_683 : 1_644
  if (value.length > limit)
    throw invalidParams(
      `${encoding} encoded transaction too large: ${value.length} bytes (max: encoded/raw ${limit}/${MAX_TRANSACTION_BYTES})`,
    )
  const bytes = encoding === 'base58' ? fromBase58(value) : fromBase64(value)
  if (!bytes) throw invalidParams(`invalid ${encoding} encoding of a transaction`)
  try {
    return readTransaction(bytes)
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    const start = error.kind === 'shape' ? 'failed to deserialize transaction' : 'invalid transaction'
    throw invalidParams(`${start}: ${error.message}`)
  }
}

function checkSignatures(transaction: WireTransaction): void {
  const good = transaction.signatures.every((signature, place) =>
    verifySignature(transaction.keys[place] ?? new Uint8Array(0), transaction.message, signature),
  )
  if (!good) throw new RpcError(-32003, 'Transaction signature verification failure')
}

function preflight(call: Call, config: Config, transaction: WireTransaction): void {
  const { chain } = call
  checkSignatures(transaction)
  const refused = refusalAt(call, config, transaction)
  const outcome = refused ? undefined : chain.simulate(transaction, true)
  const err = refused ?? outcome?.err ?? null
  if (err === null) return
  throw new RpcError(-32002, `Transaction simulation failed: ${errorSentence(err)}`, {
    ...simulated(err, outcome),
    accounts: null,
    innerInstructions: null,
    replacementBlockhash: null,
  })
}

/** As the chain says; a node that lags does not know a blockhash that is newer than its newest block. */
function refusalAt(call: Call, config: Config, transaction: WireTransaction): TransactionError | undefined {
  const { chain, lag } = call
  const newest = lag > 0 ? seenBlock(call, config).slot : Number.POSITIVE_INFINITY
  const isNewer = chain.blocks.all().some(({ blockhash, slot }) => blockhash === transaction.blockhash && slot > newest)
  return isNewer ? 'BlockhashNotFound' : chain.refusal(transaction)
}

function simulated(err: TransactionError | null, outcome?: Outcome): Record<string, unknown> {
  return {
    accounts: null,
    err,
    innerInstructions: null,
    logs: outcome?.logs ?? [],
    replacementBlockhash: null,
    returnData: outcome ? calls(outcome).returnData : null,
    unitsConsumed: outcome?.units ?? 0,
  }
}

function innerJson(outcome: Outcome): unknown {
  return calls(outcome).inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ program, accounts, data, stackHeight }) => ({
      programIdIndex: program,
      accounts,
      data,
      stackHeight,
    })),
  }))
}

function accountsAfter(call: Call, config: Config, after: Map<string, Account>): unknown {
  if (config.accounts === undefined || config.accounts === null) return null
  const asked = configParam(config.accounts)
  const read = (address: string) => after.get(address) ?? call.chain.accounts.now(address)
  return addressesParam(asked.addresses).map(address =>
    accountJson(
      address,
      read(address),
      { encoding: asked.encoding ?? 'base64' },
      mint => readMint(read(mint))?.decimals ?? 0,
    ),
  )
}

/** The same transaction with another blockhash, for a simulation that asked for a fresh one. */
function withBlockhash(transaction: WireTransaction, blockhash: string): WireTransaction {
  const place = Buffer.from(transaction.bytes).indexOf(
    Buffer.from(fromBase58(transaction.blockhash, 64) ?? []),
    messageStart(transaction),
  )
  const bytes = Uint8Array.from(transaction.bytes)
  bytes.set(fromBase58(blockhash, 64) ?? new Uint8Array(32), place)
  return readTransaction(bytes)
}

/** Where the blockhash lies: after signatures, version, header, key count and keys. */
function messageStart(transaction: WireTransaction): number {
  return transaction.bytes.length - transaction.message.length + 4 + 32 * transaction.keys.length
}
