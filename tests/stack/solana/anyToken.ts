/** Mints and token accounts of either token program, for tests that need others than the sale's. */
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import type { Keypair } from './keys.ts'
import { createAccount, createAssociatedAccount, initializeMint, type Instruction, mintTo, TOKEN } from './programs.ts'
import type { SolanaStack } from './server.ts'

type Chain = SolanaStack['chain']

/** Makes a mint of 6 decimals without extensions, its authority the faucet. @returns its address */
export function plainMint(chain: Chain, mint: Keypair, program: string): string {
  const { faucet, vm } = chain
  const shape = { lamports: BigInt(vm.minimumRent(82)), space: 82, owner: program }
  const made = { ...initializeMint(mint.address, 6, faucet.address), program }
  chain.run([createAccount(faucet.address, mint.address, shape), made], [faucet, mint])
  return mint.address
}

/** Gives tokens; the account is made when it is missing. @returns the token account */
export function giveToken(chain: Chain, owner: string, mint: string, program: string, amount: bigint): string {
  const { faucet } = chain
  const account = associatedTokenAddress(owner, mint, program)
  const minted = { ...mintTo(mint, account, faucet.address, amount), program }
  chain.run([under(program, createAssociatedAccount(faucet.address, owner, mint), owner, mint), minted], [faucet])
  chain.advance(2)
  return account
}

/** An instruction for the classic program, for another one. */
function under(program: string, instruction: Instruction, owner: string, mint: string): Instruction {
  const classic = associatedTokenAddress(owner, mint)
  return {
    ...instruction,
    accounts: instruction.accounts.map(use =>
      use.address === classic
        ? { ...use, address: associatedTokenAddress(owner, mint, program) }
        : use.address === TOKEN
          ? { ...use, address: program }
          : use,
    ),
  }
}
