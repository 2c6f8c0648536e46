/** Decoded instructions as the bytes of a transaction write them. */
import type { DecodedInstruction, DecodedTransaction } from '../../../src/events/values/solana/transaction.ts'
import type { TopLevel } from '../../../src/worker/ledger/topLevel.ts'
import { type Instruction, memo, transfer, transferChecked } from '../../stack/solana/programs.ts'

/** @returns the memos and transfers of a transaction; its fee's payer and the payers sign */
export function undecoded({ feePayer, instructions }: Pick<DecodedTransaction, 'feePayer' | 'instructions'>): TopLevel {
  const calls = instructions.flatMap(callOf)
  const signers = calls.flatMap(({ accounts }) => accounts.filter(one => one.signer).map(one => one.address))
  return {
    signers: [...new Set([feePayer, ...signers])],
    instructions: calls.map(({ program, accounts, data }) => ({
      program,
      accounts: accounts.map(({ address }) => address),
      data,
    })),
  }
}

function callOf(one: DecodedInstruction): Instruction[] {
  if (one.kind === 'memo') return [memo(one.text)]
  if (one.kind === 'transfer') return [transfer(one.from, one.to, BigInt(one.lamports), one.references)]
  if (one.kind !== 'tokenTransfer') return []
  const { source: from, destination: to, owner: authority, amount, ...rest } = one
  return [transferChecked({ ...rest, from, to, authority, amount: BigInt(amount) })]
}
