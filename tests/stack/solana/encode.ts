import { base58, base64, fromBase64, readLittleEndian } from './bytes.ts'
import { invalidParams, RpcError } from './errors.ts'
import type { TokenBalance, TransactionRecord } from './ledger.ts'
import { parsedInstruction } from './parsed.ts'
import { CLOCK_SYSVAR, SYSTEM, TOKEN_2022 } from './programs.ts'
import { readMint, readTokenAccount, tokenAmount } from './tokens.ts'
import type { Account } from './vm.ts'
import { isWritable, readTransaction, type WireTransaction } from './wire.ts'

/** Validators say this for every account that pays no rent. */
const RENT_EPOCH = 18_446_744_073_709_551_615n

/** Requested form of an account's data. */
export type AccountForm = { encoding?: unknown; dataSlice?: unknown }

/** An account as RPC answers write it, or null when there is none; `decimalsOf` answers for a mint. */
export function accountJson(
  address: string,
  account: Account | undefined,
  form: AccountForm,
  decimalsOf: (mint: string) => number,
): unknown {
  if (!account || account.lamports === 0n) return null
  const { lamports, owner, executable, data } = account
  const rest = { executable, lamports, owner, rentEpoch: RENT_EPOCH, space: data.length }
  const parsed = form.encoding === 'jsonParsed' ? parsedAccount(address, account, decimalsOf) : undefined
  return { data: parsed ?? encodedData(sliced(data, form.dataSlice), form.encoding), ...rest }
}

function sliced(data: Uint8Array, slice: unknown): Uint8Array {
  if (slice === undefined || slice === null) return data
  const { offset, length } = slice as { offset?: unknown; length?: unknown }
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || Number(offset) < 0 || Number(length) < 0)
    throw invalidParams('Invalid params: dataSlice expected offset and length as whole numbers')
  return data.slice(Number(offset), Number(offset) + Number(length))
}

function encodedData(data: Uint8Array, encoding: unknown): unknown {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [base64(data), 'base64']
  if (encoding !== undefined && encoding !== null && encoding !== 'base58' && encoding !== 'binary')
    throw invalidParams('Invalid params: encoding expected base58, base64 or jsonParsed')
  if (data.length > 128)
    throw new RpcError(
      -32600,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  return encoding === 'base58' ? [base58(data), 'base58'] : base58(data)
}

function parsedAccount(address: string, account: Account, decimalsOf: (mint: string) => number): unknown {
  const space = account.data.length
  const program = account.owner === TOKEN_2022 ? 'spl-token-2022' : 'spl-token'
  const token = readTokenAccount(account)
  if (token) {
    const { mint, owner, state, isNative, delegate, delegated, closeAuthority } = token
    const decimals = decimalsOf(mint)
    const info = {
      ...(closeAuthority ? { closeAuthority } : {}),
      ...(delegate ? { delegate, delegatedAmount: tokenAmount(delegated, decimals) } : {}),
      isNative,
      mint,
      owner,
      ...(isNative ? { rentExemptReserve: tokenAmount(token.rentReserve, decimals) } : {}),
      state,
      tokenAmount: tokenAmount(token.amount, decimals),
    }
    return { program, parsed: { type: 'account', info }, space }
  }
  const mint = readMint(account)
  if (mint) {
    const { decimals, isInitialized, freezeAuthority = null, mintAuthority = null, supply } = mint
    const info = { decimals, freezeAuthority, isInitialized, mintAuthority, supply: supply.toString() }
    return { program, parsed: { type: 'mint', info }, space }
  }
  const number = (offset: number) => Number(readLittleEndian(account.data, offset, 8))
  if (address === CLOCK_SYSVAR) {
    const info = {
      slot: number(0),
      epochStartTimestamp: number(8),
      epoch: number(16),
      leaderScheduleEpoch: number(24),
      unixTimestamp: number(32),
    }
    return { program: 'sysvar', parsed: { type: 'clock', info }, space }
  }
  if (account.owner === SYSTEM && space === 80) {
    const info = {
      authority: base58(account.data.slice(8, 40)),
      blockhash: base58(account.data.slice(40, 72)),
      feeCalculator: { lamportsPerSignature: String(number(72)) },
    }
    return { program: 'nonce', parsed: { type: 'initialized', info }, space }
  }
  return undefined
}

/** Requested form of a transaction. */
export type TransactionForm = { encoding: unknown; maxVersion: unknown }

/**
 * A transaction with its meta as in getTransaction and getBlock.
 *
 * @throws RpcError -32015 for version 0 when the caller did not declare support for it
 */
export function transactionJson(record: TransactionRecord, form: TransactionForm): Record<string, unknown> {
  if (record.version === 0 && form.maxVersion === undefined)
    throw new RpcError(
      -32015,
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the ' +
        'following configuration parameter: "maxSupportedTransactionVersion": 0',
    )
  const bytes = fromBase64(record.bytes) ?? new Uint8Array(0)
  const version = form.maxVersion === undefined ? {} : { version: record.version }
  const meta = metaJson(record, form.encoding === 'jsonParsed')
  if (form.encoding === 'base64') return { transaction: [record.bytes, 'base64'], meta, ...version }
  if (form.encoding === 'base58') return { transaction: [base58(bytes), 'base58'], meta, ...version }
  const wire = readTransaction(bytes)
  const message = form.encoding === 'jsonParsed' ? parsedMessage(wire, record) : plainMessage(wire)
  return { transaction: { signatures: wire.signatures.map(base58), message }, meta, ...version }
}

/** A transaction of a block when only accounts are requested. */
export function transactionAccountsJson(record: TransactionRecord): Record<string, unknown> {
  const wire = readTransaction(fromBase64(record.bytes) ?? new Uint8Array(0))
  return {
    transaction: { signatures: wire.signatures.map(base58), accountKeys: keyList(wire, record) },
    meta: metaJson(record, false),
    version: record.version,
  }
}

function metaJson(record: TransactionRecord, parsed: boolean): unknown {
  return {
    err: record.err,
    status: record.err === null ? { Ok: null } : { Err: record.err },
    fee: record.fee,
    preBalances: record.before.map(BigInt),
    postBalances: record.after.map(BigInt),
    innerInstructions: record.inner.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(call =>
        parsed
          ? parsedInstruction({ ...call, addresses: record.addresses })
          : { programIdIndex: call.program, accounts: call.accounts, data: call.data, stackHeight: call.stackHeight },
      ),
    })),
    logMessages: record.logs,
    preTokenBalances: record.tokensBefore.map(tokenBalanceJson),
    postTokenBalances: record.tokensAfter.map(tokenBalanceJson),
    rewards: [],
    ...(parsed ? {} : { loadedAddresses: record.loaded }),
    ...(record.returnData ? { returnData: record.returnData } : {}),
    computeUnitsConsumed: record.units,
  }
}

function tokenBalanceJson({ amount, decimals, ...where }: TokenBalance): unknown {
  const shown = tokenAmount(BigInt(amount), decimals)
  return { ...where, uiTokenAmount: { ...shown, uiAmount: amount === '0' ? null : shown.uiAmount } }
}

function plainMessage(wire: WireTransaction): unknown {
  return {
    header: {
      numRequiredSignatures: wire.header.signers,
      numReadonlySignedAccounts: wire.header.readonlySigners,
      numReadonlyUnsignedAccounts: wire.header.readonlyOthers,
    },
    accountKeys: wire.addresses,
    recentBlockhash: wire.blockhash,
    instructions: wire.instructions.map(({ program, accounts, data }) => ({
      programIdIndex: program,
      accounts,
      data: base58(data),
      stackHeight: null,
    })),
    ...(wire.version === 0 ? { addressTableLookups: lookupList(wire) } : {}),
  }
}

function parsedMessage(wire: WireTransaction, record: TransactionRecord): unknown {
  return {
    accountKeys: keyList(wire, record),
    recentBlockhash: wire.blockhash,
    instructions: wire.instructions.map(({ program, accounts, data }) =>
      parsedInstruction({ program, accounts, data: base58(data), stackHeight: null, addresses: record.addresses }),
    ),
    ...(wire.version === 0 ? { addressTableLookups: lookupList(wire) } : {}),
  }
}

function lookupList(wire: WireTransaction): unknown {
  return wire.lookups.map(({ table, writable, readonly }) => ({
    accountKey: table,
    writableIndexes: writable,
    readonlyIndexes: readonly,
  }))
}

function keyList(wire: WireTransaction, record: TransactionRecord): unknown {
  const loaded = wire.keys.length + record.loaded.writable.length
  return record.addresses.map((pubkey, place) => ({
    pubkey,
    signer: place < wire.header.signers,
    writable: place < wire.keys.length ? isWritable(wire, place) : place < loaded,
    source: place < wire.keys.length ? 'transaction' : 'lookupTable',
  }))
}
