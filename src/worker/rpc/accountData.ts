import { Fault } from '../../runtime/failure.ts'
import { encodeBase58 } from '../../events/values/solana/base58.ts'
import { programs } from '../chains/solana/programs.ts'
import { fromBase64 } from '../walletconnect/crypto/base64.ts'
import type { AccountInfo } from './answers.ts'
import { dataViewOf } from '../../runtime/dataView.ts'

const sysvarOwner = 'Sysvar1111111111111111111111111111111111111'

/** Content of a token account. */
export type TokenAccount = { mint: string; owner: string; amount: bigint; frozen: boolean }

/**
 * @param account the Clock sysvar's account as the node returned it
 * @returns chain time, ms since the Unix epoch
 * @throws Fault `rpc_lying` when it is absent, too short or another program's
 */
export function readClock(account: AccountInfo | null | undefined): number {
  const data = account?.owner === sysvarOwner ? accountBytes(account) : undefined
  if (!data || data.length < 40) {
    throw new Fault(
      'rpc_lying',
      `the Clock sysvar expected 40 bytes of the sysvar program, got ${data?.length ?? 'none'}`,
    )
  }
  const seconds = Number(dataViewOf(data).getBigInt64(32, true))
  if (!(seconds >= 0 && seconds < 10_000_000_000)) {
    throw new Fault('rpc_lying', `the Clock sysvar expected a Unix time in seconds, got ${seconds}`)
  }
  return seconds * 1000
}

/**
 * @returns undefined when the account is no token account; lamports alone make none
 * @throws Fault `rpc_lying` when the token program owns it but its length is wrong
 * @see SPL Token, account state: mint 32, owner 32, amount u64, …, state at byte 108
 */
export function readTokenAccount(account: AccountInfo | null | undefined, what: string): TokenAccount | undefined {
  if (account?.owner !== programs.token) return undefined
  const data = accountBytes(account)
  if (data.length !== 165) throw new Fault('rpc_lying', `${what} expected 165 bytes, got ${data.length}`)
  const state = data[108]
  if (state === 0) return undefined
  return {
    mint: encodeBase58(data.subarray(0, 32)),
    owner: encodeBase58(data.subarray(32, 64)),
    amount: dataViewOf(data).getBigUint64(64, true),
    frozen: state === 2,
  }
}

/** @returns a mint's decimals, undefined when the account is not a mint of the token program */
export function readMintDecimals(account: AccountInfo | null | undefined): number | undefined {
  if (account?.owner !== programs.token) return undefined
  const data = accountBytes(account)
  return data.length === 82 ? data[44] : undefined
}

/** Token-2022 marks the kind of an extended account behind the bytes of a classic one. */
export function isMint(data: Uint8Array): boolean {
  return data.length === 82 || (data.length > 165 && data[165] === 1)
}

/** A mint's authorities to create and to freeze tokens; an absent one was given up for ever. */
type MintAccount = { mintAuthority?: string; freezeAuthority?: string; decimals: number }

/**
 * @param program the mint's token program, base58
 * @throws Fault `bad_response` when it is not an initialised mint of that program. Extensions of Token-2022 are not read here: see
 *   `checkToken`
 * @see SPL Token, mint state: optional mint authority 36, supply u64, decimals, initialised, optional freeze authority 36
 */
export function readMint(account: AccountInfo | null | undefined, program: string, what: string): MintAccount {
  if (account?.owner !== program)
    throw new Fault('bad_response', `${what} expected an account of ${program}, got ${account?.owner ?? 'none'}`)
  const data = accountBytes(account)
  const isPlain = data.length === 82
  if (!isPlain && (program !== programs.token2022 || !isMint(data)))
    throw new Fault('bad_response', `${what} expected a mint, got ${data.length} bytes`)
  if (data[45] !== 1) throw new Fault('bad_response', `${what} expected to be initialised, it is not`)
  const mintAuthority = optionalKey(data, 0, what)
  const freezeAuthority = optionalKey(data, 46, what)
  return {
    ...(mintAuthority === undefined ? {} : { mintAuthority }),
    ...(freezeAuthority === undefined ? {} : { freezeAuthority }),
    decimals: data[44] ?? 0,
  }
}

/** A 4-byte tag, 0 for none and 1 for some, before a key of 32 bytes. */
function optionalKey(data: Uint8Array, at: number, what: string): string | undefined {
  const mark = dataViewOf(data).getUint32(at, true)
  if (mark > 1) throw new Fault('bad_response', `${what} expected 0 or 1 before an authority, got ${mark}`)
  return mark === 0 ? undefined : encodeBase58(data.subarray(at + 4, at + 36))
}

/** @returns an account's content. @throws Fault `bad_input` when the node's text is no base64 */
export function accountBytes(account: AccountInfo): Uint8Array {
  return fromBase64(account.data[0], "an account's data")
}
