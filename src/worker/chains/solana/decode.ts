import type { DecodedInstruction, DecodedTransaction } from '../../../events/values/solana/transaction.ts'
import { instructionName } from './instructionName.ts'
import { programs } from './programs.ts'
import { isSigner, isWritable, readTransaction, type WireInstruction, type WireTransaction } from './wire.ts'
import { dataViewOf } from '../../../runtime/dataView.ts'

/**
 * Decodes a transaction for the core. An instruction that is not fully understood, or takes an account from a lookup table,
 * whose content the bytes do not contain, is `other`.
 *
 * @param bytes a whole transaction
 * @throws Fault `bad_response` when the bytes are not a transaction
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  return decodeWire(readTransaction(bytes))
}

/** Like `decodeTransaction`, for a parsed transaction. */
export function decodeWire(transaction: WireTransaction): DecodedTransaction {
  const { accountKeys, header, lookups, recentBlockhash, instructions } = transaction
  return {
    feePayer: accountKeys[0] ?? '',
    blockhash: recentBlockhash,
    instructions: instructions.map(instruction => decodeInstruction(transaction, instruction)),
    signers: accountKeys.slice(0, header.signers),
    ...(lookups.length === 0 ? {} : { tables: lookups.length }),
  }
}

function decodeInstruction(transaction: WireTransaction, instruction: WireInstruction): DecodedInstruction {
  const program = transaction.accountKeys[instruction.program] ?? ''
  const { accounts, data } = instruction
  const other = (): DecodedInstruction => {
    const name = instructionName(program, data)
    return name === undefined ? { kind: 'other', program } : { kind: 'other', program, name }
  }
  const keys = accounts.map(index => transaction.accountKeys[index] ?? '')
  if (keys.includes('')) return other()
  const view = dataViewOf(data)

  switch (program) {
    case programs.computeBudget:
      if (data[0] === 2 && data.length === 5) return { kind: 'computeLimit', units: view.getUint32(1, true) }
      if (data[0] === 3 && data.length === 9) {
        return { kind: 'computePrice', microLamports: view.getBigUint64(1, true).toString() }
      }
      return other()
    case programs.memo: {
      // An account on a memo must sign for it; our memos have none, so such a memo is not ours
      const text = accounts.length === 0 ? readUtf8(data) : undefined
      return text === undefined ? other() : { kind: 'memo', text }
    }
    case programs.system: {
      const [from, to, ...references] = keys
      if (data.length !== 12 || view.getUint32(0, true) !== 2 || from === undefined || to === undefined) return other()
      if (!arePlain(transaction, accounts.slice(2))) return other()
      return { kind: 'transfer', from, to, lamports: view.getBigUint64(4, true).toString(), references }
    }
    case programs.token:
    case programs.token2022: {
      const [source, mint, destination, owner, ...references] = keys
      if (data.length !== 10 || data[0] !== 12 || !source || !mint || !destination || !owner) return other()
      if (!arePlain(transaction, accounts.slice(4))) return other()
      const amount = view.getBigUint64(1, true).toString()
      const moved = { source, mint, destination, owner, amount, decimals: data[9] ?? 0, references }
      return { kind: 'tokenTransfer', ...moved, ...(program === programs.token2022 && { program }) }
    }
    case programs.associatedToken: {
      // Only the form that this page builds, which succeeds when the account exists already
      const [payer, account, owner, mint, system, tokenProgram] = keys
      if (data.length !== 1 || data[0] !== 1 || keys.length !== 6 || system !== programs.system) return other()
      if (!payer || !account || !owner || !mint || !tokenProgram) return other()
      return { kind: 'createTokenAccount', payer, account, owner, mint, program: tokenProgram }
    }
    default:
      return other()
  }
}

/** References are read-only non-signers; an account that signs or is writable has another purpose. */
function arePlain(transaction: WireTransaction, accounts: readonly number[]): boolean {
  return accounts.every(index => !isSigner(transaction, index) && !isWritable(transaction, index))
}

function readUtf8(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    return undefined
  }
}
