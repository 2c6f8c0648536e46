/** Whether a recipient may get a transfer, and whether a token can be sent as its amount says. */
import { Fault } from '../../runtime/failure.ts'
import type { Warning } from '../../events/subjects/order/orderFacts.ts'
import { lookAlike } from '../../events/values/solana/alikeAddress.ts'
import { isSolanaAddress } from '../../events/values/solana/address.ts'
import { decodeBase58, encodeBase58 } from '../../events/values/solana/base58.ts'
import { rentMinimum } from '../../events/values/solana/rent.ts'
import { isOnCurve } from '../chains/solana/ata.ts'
import { programs } from '../chains/solana/programs.ts'
import { accountBytes, isMint, type TokenAccount } from './accountData.ts'
import type { AccountInfo } from './answers.ts'
import { dataViewOf } from '../../runtime/dataView.ts'

type Account = AccountInfo | null | undefined

/** Owners of programs. */
const loaders: readonly string[] = [
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]

/** @throws Fault `bad_input` with its rule, unless the text is an address of the chain */
export function checkAddress(to: string): void {
  if (!isSolanaAddress(to)) throw refusedSend('RECIPIENT', 'an address of 32 bytes in base58')
}

/** @throws Fault `bad_input` with its rule, unless the address is a wallet's, or nothing stands there yet */
export function checkRecipient(account: Account): void {
  if (!account) return
  const data = accountBytes(account)
  if (isTokenProgram(account.owner))
    throw isMint(data)
      ? refusedSend('RECIPIENT_MINT', 'a wallet as recipient, got a mint')
      : refusedSend('RECIPIENT_TOKEN_ACCOUNT', 'a wallet as recipient, got a token account')
  if (loaders.includes(account.owner)) throw refusedSend('RECIPIENT_PROGRAM', 'a wallet as recipient, got a program')
  if (account.owner !== programs.system || data.length > 0)
    throw refusedSend('RECIPIENT_NOT_WALLET', 'a wallet as recipient, got an account of a program')
}

/** @throws Fault `bad_input` with its rule when the recipient is odd in a way that the person has not confirmed */
export function checkOddities(to: string, known: readonly string[], confirmed: readonly Warning[]): void {
  const isOdd = {
    lookAlike: lookAlike(to, known) !== undefined,
    offCurve: !isOnCurve(decodeBase58(to) ?? new Uint8Array()),
  }
  if (isOdd.lookAlike && !confirmed.includes('lookAlike'))
    throw refusedSend('RECIPIENT_LOOKS_ALIKE', 'a recipient that does not look like another one, or its confirmation')
  if (isOdd.offCurve && !confirmed.includes('offCurve'))
    throw refusedSend('RECIPIENT_OFF_CURVE', 'a recipient with a key, or the confirmation of one without')
}

/** A token account of either program. @returns undefined when it is none, or was never initialised */
export function readEitherTokenAccount(account: Account, program: string): TokenAccount | undefined {
  if (account?.owner !== program || !isTokenProgram(program)) return undefined
  const data = accountBytes(account)
  const state = data[108]
  if (data.length < 165 || isMint(data) || (state !== 1 && state !== 2)) return undefined
  return {
    mint: encodeBase58(data.subarray(0, 32)),
    owner: encodeBase58(data.subarray(32, 64)),
    amount: dataViewOf(data).getBigUint64(64, true),
    frozen: state === 2,
  }
}

/** Extensions of a mint that change nothing about a transfer. */
const harmless: ReadonlySet<number> = new Set([3, 4, 12, 16, 18, 19, 20, 21, 22, 23, 24])
/** A token account with no extension but its owner's immutability. */
const extendedBytes = 170
const plainBytes = 165
const lamportsPerByte = 6960n

/**
 * @param mint read from the chain. @param isNew whether the recipient's token account is to be created
 * @returns rent of a new token account of this mint, lamports
 * @throws Fault with its rule when the transfer would not do what its amount says, or could not be done
 * @see SPL Token-2022, `ExtensionType`: 166 bytes on, each is type u16, length u16, content
 */
export function checkToken(mint: Account, token: { program: string; decimals: number }, isNew: boolean): bigint {
  const { program, decimals } = token
  const data = mint?.owner === program && isTokenProgram(program) ? accountBytes(mint) : undefined
  if (!data || !isMint(data) || data[45] !== 1) throw refusedSend('TOKEN_MINT', 'a mint of its token program, got none')
  if (data[44] !== decimals) throw new Fault('decimals', `the mint expected ${decimals} decimals, got ${data[44]}`)
  let bytes = program === programs.token ? plainBytes : extendedBytes
  for (const { type, content } of extensionsOf(data)) {
    if (type === 1) {
      bytes += 12
      // Both the fee until now and the one that was announced
      if (anyByte(content.subarray(88, 90)) || anyByte(content.subarray(106, 108)))
        throw refusedSend('TOKEN_FEE', 'a token that takes no fee of a transfer')
    } else if (type === 6) {
      if (isNew && content[0] === 2) throw refusedSend('TOKEN_FROZEN', 'a token whose new accounts are not frozen')
    } else if (type === 9) {
      throw refusedSend('TOKEN_NON_TRANSFERABLE', 'a token that may be transferred')
    } else if (type === 10 || type === 25) {
      throw refusedSend('TOKEN_SCALED', 'a token whose amounts are shown as they are')
    } else if (type === 14) {
      bytes += 5
      if (anyByte(content.subarray(32, 64))) throw refusedSend('TOKEN_HOOK', 'a token that runs no program of its own')
    } else if (type === 26) {
      bytes += 4
      if (content[32] !== 0) throw refusedSend('TOKEN_PAUSED', 'a token that is not paused')
    } else if (!harmless.has(type)) {
      throw refusedSend('TOKEN_UNREAD', `known extensions of a token, got number ${type}`)
    }
  }
  return rentMinimum + BigInt(bytes) * lamportsPerByte
}

/** @returns base58 of the account that may move and burn a mint's tokens in every wallet; undefined without one */
export function permanentDelegateOf(mint: AccountInfo): string | undefined {
  const key = extensionsOf(accountBytes(mint))
    .find(({ type }) => type === 12)
    ?.content.subarray(0, 32)
  return key && anyByte(key) ? encodeBase58(key) : undefined
}

/** @returns a refusal of a transfer with a stable rule */
export function refusedSend(rule: string, expected: string): Fault {
  return new Fault('bad_input', `a transfer expected ${expected}`, { rule })
}

/** @returns the extensions of a mint or an account of Token-2022. @throws Fault `bad_input` when the bytes end in one */
export function extensionsOf(data: Uint8Array): { type: number; content: Uint8Array }[] {
  const found: { type: number; content: Uint8Array }[] = []
  const view = dataViewOf(data)
  for (let at = 166; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true)
    // Type 0 is padding to the end
    if (type === 0) break
    const length = view.getUint16(at + 2, true)
    if (at + 4 + length > data.length) throw refusedSend('TOKEN_UNREAD', 'whole extensions of a token')
    found.push({ type, content: data.subarray(at + 4, at + 4 + length) })
    at += 4 + length
  }
  return found
}

function isTokenProgram(owner: string): boolean {
  return owner === programs.token || owner === programs.token2022
}

function anyByte(bytes: Uint8Array): boolean {
  return bytes.some(byte => byte !== 0)
}
