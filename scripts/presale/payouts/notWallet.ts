/**
 * Addresses where a payment would not arrive, or would be lost: no key signs for what is there.
 *
 * An address without an account is a wallet that was not used yet. One that no key can have may be a vault, which its program signs for.
 */
import { decodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { isOnCurve } from '../../../src/worker/chains/solana/ata.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import type { AccountInfo } from '../../../src/worker/rpc/answers.ts'
import { checkRecipient, readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import { Fault } from '../../../src/runtime/failure.ts'

type Account = AccountInfo | null | undefined

const known: readonly string[] = Object.values(programs)
/** The chain gave such addresses to its own programs and data. No one can find a key to them. */
const reserved = /1{10}$/

/** @returns in words what is at an address, unless it is a wallet */
export function notWallet(address: string, account: Account): string | undefined {
  if (isReserved(address)) return 'a program or an account of the chain itself'
  const rule = ruleOf(account)
  if (rule === undefined || !account) return undefined
  if (rule === 'RECIPIENT_MINT') return 'the mint of a token'
  if (rule === 'RECIPIENT_PROGRAM') return 'a program'
  const held = readEitherTokenAccount(account, account.owner)
  return held
    ? `a token account of ${held.owner}, which is the likely wallet`
    : `an account of the program ${account.owner}`
}

/** @returns whether an address is a known program's, or the chain's own: a batch that pays SOL there may fail as a whole */
export function isReserved(address: string): boolean {
  return reserved.test(address) || known.includes(address)
}

/** @returns whether there may be a key that signs a transaction for an address: a vault of a multisig program has none */
export function maySign(address: string): boolean {
  return !isReserved(address) && isOnCurve(decodeBase58(address) ?? new Uint8Array())
}

/** @returns the rule by which a wallet's owner could not send there */
function ruleOf(account: Account): string | number | undefined {
  try {
    checkRecipient(account)
    return undefined
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return cause.facts?.rule
  }
}
