import type { WalletInstruction, WalletTransaction } from './transaction.ts'
import { paymentOf } from './transaction.ts'

/** Token names by mint address. */
export type TokenNames = Record<string, string>

const memoPrograms = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo']
const computeBudget = 'ComputeBudget111111111111111111111111111111'
const associatedToken = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** Describes a transaction, one sentence per instruction, in order. */
export function describeTransaction(transaction: WalletTransaction, names: TokenNames = {}): string[] {
  return transaction.instructions.map(instruction => describeInstruction(instruction, names))
}

function describeInstruction(instruction: WalletInstruction, names: TokenNames): string {
  const { program, accounts, data } = instruction
  const payment = paymentOf(instruction)
  if (payment?.kind === 'sol') return `Send ${decimal(payment.amount, 9)} SOL to ${accounts[1] ?? 'nobody'}`
  if (payment?.kind === 'tokenChecked') {
    const mint = accounts[1] ?? ''
    const token = names[mint] ?? `of the token ${mint}`
    return `Send ${decimal(payment.amount, data[9] ?? 0)} ${token} to the token account ${accounts[2] ?? 'nobody'}`
  }
  if (payment) return `Send ${payment.amount} base units of a token to the token account ${accounts[1] ?? 'nobody'}`
  if (memoPrograms.includes(program)) return `Memo: ${readableText(data)}`
  if (program === associatedToken) return `Open a token account for ${accounts[2] ?? 'nobody'}`
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (program === computeBudget && data[0] === 2 && data.length === 5)
    return `Compute limit ${view.getUint32(1, true)} units`
  if (program === computeBudget && data[0] === 3 && data.length === 9) {
    return `Priority fee ${view.getBigUint64(1, true)} micro-lamports a unit`
  }
  return `Call the program ${program} with ${data.length} bytes`
}

/** Text a person can read, or the bytes in hex when it is not text. */
export function readableText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  if (!/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)) return text
  return `0x${Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Base units as decimal text without needless zeros: `decimal(1500000000n, 9)` is `1.5`. */
export function decimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return part ? `${whole}.${part}` : whole
}
