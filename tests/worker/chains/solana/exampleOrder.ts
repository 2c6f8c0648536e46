import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token'
import { buyerRef, orderRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'

/** The order of the reference's vectors, and a key that can really sign it. */
export const buyer = Keypair.fromSeed(new Uint8Array(32).fill(7))
export const buyerKey = buyer.publicKey.toBase58()
export const authority = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'
export const treasury = '8YiSCNNh1SEDn4C3LHuABytuVSdtkrYVL4GRfKLtWSDa'
export const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const blockhash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
export const memo = 'mai1:0c1754de9a252f45:5b0e9d7c31f4a826:SOL:2500000000:416666666666667:416666666666666'
export const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

const presale = presaleRef(authority, 'mai-presale-1')
export const references = [presale, buyerRef(presale, buyerKey), orderRef(presale, buyerKey, '5b0e9d7c31f4a826')]

export function memoInstruction(text = memo): TransactionInstruction {
  return new TransactionInstruction({ programId: memoProgram, keys: [], data: Buffer.from(text) })
}

export function withReferences(instruction: TransactionInstruction, keys = references): TransactionInstruction {
  instruction.keys.push(...keys.map(key => ({ pubkey: new PublicKey(key), isSigner: false, isWritable: false })))
  return instruction
}

export function solTransfer(lamports = 2_500_000_000, from = buyer.publicKey, to = treasury): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from, toPubkey: new PublicKey(to), lamports })
}

export const buyerUsdc = getAssociatedTokenAddressSync(new PublicKey(usdc), buyer.publicKey)
export const treasuryUsdc = getAssociatedTokenAddressSync(new PublicKey(usdc), new PublicKey(treasury))

export function usdcTransfer(amount = 375_000_000): TransactionInstruction {
  return createTransferCheckedInstruction(buyerUsdc, new PublicKey(usdc), treasuryUsdc, buyer.publicKey, amount, 6)
}

export function budget(units = 120_000, microLamports = 1_000_000): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
  ]
}

/** The order in SOL as the page builds it. */
export function orderInstructions(): TransactionInstruction[] {
  return [...budget(), memoInstruction(), withReferences(solTransfer())]
}

/** @returns the bytes of an unsigned legacy transaction */
export function legacyBytes(instructions: TransactionInstruction[], feePayer = buyer.publicKey): Uint8Array {
  const transaction = new Transaction({ feePayer, blockhash, lastValidBlockHeight: 150 }).add(...instructions)
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

/** @returns the bytes of an unsigned version 0 transaction */
export function v0Bytes(instructions: TransactionInstruction[], tables: AddressLookupTableAccount[] = []): Uint8Array {
  const message = new TransactionMessage({ payerKey: buyer.publicKey, recentBlockhash: blockhash, instructions })
  return new VersionedTransaction(message.compileToV0Message(tables)).serialize()
}

/** @returns a lookup table that holds these addresses */
export function lookupTable(addresses: PublicKey[]): AddressLookupTableAccount {
  return new AddressLookupTableAccount({
    key: new PublicKey(new Uint8Array(32).fill(9)),
    state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
  })
}
