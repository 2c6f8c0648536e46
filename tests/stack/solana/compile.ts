import { base58, compactLength, concat } from './bytes.ts'
import { addressBytes, type Keypair } from './keys.ts'
import type { Instruction } from './programs.ts'

type Use = { address: string; signer: boolean; writable: boolean }

/**
 * Compiles and signs a legacy transaction.
 *
 * @param signers the first one pays the fee; every signer an instruction names must be among them
 * @param blockhash base58 of 32 bytes
 * @returns wire bytes and the base58 signature of the payer
 */
export function signedTransaction(
  instructions: Instruction[],
  signers: [Keypair, ...Keypair[]],
  blockhash: string,
): { bytes: Uint8Array; signature: string } {
  const keys = orderedKeys(instructions, signers[0].address)
  const signing = keys.filter(key => key.signer)
  const message = concat(
    Uint8Array.of(
      signing.length,
      signing.filter(key => !key.writable).length,
      keys.filter(key => !key.signer && !key.writable).length,
    ),
    compactLength(keys.length),
    ...keys.map(key => addressBytes(key.address)),
    addressBytes(blockhash),
    compactLength(instructions.length),
    ...instructions.map(instruction => compiled(instruction, keys)),
  )
  const signatures = signing.map(key => {
    const signer = signers.find(candidate => candidate.address === key.address)
    if (!signer) throw new Error(`transaction needs a signature of ${key.address}, whose key was not given`)
    return signer.sign(message)
  })
  return {
    bytes: concat(compactLength(signatures.length), ...signatures, message),
    signature: base58(signatures[0] ?? new Uint8Array(64)),
  }
}

/** Payer first, then writable signers, read-only signers, writable others, read-only others, each in order of first use. */
function orderedKeys(instructions: Instruction[], payer: string): Use[] {
  const uses = new Map<string, Use>([[payer, { address: payer, signer: true, writable: true }]])
  const add = (address: string, signer: boolean, writable: boolean) => {
    const use = uses.get(address) ?? { address, signer: false, writable: false }
    uses.set(address, { address, signer: use.signer || signer, writable: use.writable || writable })
  }
  for (const { accounts } of instructions)
    for (const account of accounts) add(account.address, account.signer ?? false, account.writable ?? false)
  for (const { program } of instructions) add(program, false, false)
  const rank = (use: Use) => (use.signer ? 0 : 2) + (use.writable ? 0 : 1)
  return [...uses.values()].sort((a, b) => rank(a) - rank(b))
}

function compiled(instruction: Instruction, keys: Use[]): Uint8Array {
  const index = (address: string) => keys.findIndex(key => key.address === address)
  return concat(
    Uint8Array.of(index(instruction.program)),
    compactLength(instruction.accounts.length),
    Uint8Array.from(instruction.accounts.map(account => index(account.address))),
    compactLength(instruction.data.length),
    instruction.data,
  )
}
