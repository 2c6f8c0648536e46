/** Compiles messages of payouts: instructions in plain bytes, without a library, as a plan measures thousands of them. */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { Fault } from '../../../src/runtime/failure.ts'
import { decodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'

type AccountUse = { address: string; signer?: true; writable?: true }
export type Instruction = { program: string; accounts: readonly AccountUse[]; data: Uint8Array }

const recentBlockhashes = 'SysvarRecentB1ockHashes11111111111111111111'

const signing = (address: string): AccountUse => ({ address, signer: true, writable: true })
const writable = (address: string): AccountUse => ({ address, writable: true })
const reader = (address: string): AccountUse => ({ address })

/** Makes a transaction valid while the nonce account shows its blockhash; has to be the first instruction. */
export function advanceNonce(nonce: string, authority: string): Instruction {
  const accounts = [writable(nonce), reader(recentBlockhashes), { address: authority, signer: true } as const]
  return { program: programs.system, accounts, data: number(4n, 4) }
}

/** @param limit compute units. @param price µlamports a unit */
export function computeBudget(limit: number, price: bigint): Instruction[] {
  const data = [
    concatBytes(Uint8Array.of(2), number(BigInt(limit), 4)),
    concatBytes(Uint8Array.of(3), number(price, 8)),
  ]
  return data.map(bytes => ({ program: programs.computeBudget, accounts: [], data: bytes }))
}

/** Has no accounts: the memo program wants a signature from each. */
export function memo(text: string): Instruction {
  return { program: programs.memo, accounts: [], data: utf8ToBytes(text) }
}

/** @param references read-only keys by which the transfer is found */
export function transferLamports(
  from: string,
  to: string,
  lamports: bigint,
  references: readonly string[],
): Instruction {
  const accounts = [signing(from), writable(to), ...references.map(reader)]
  return { program: programs.system, accounts, data: concatBytes(number(2n, 4), number(lamports, 8)) }
}

type TokenMove = {
  source: string
  mint: string
  to: string
  owner: string
  units: bigint
  decimals: number
  program: string
}

/** TransferChecked. @param references read-only keys by which the transfer is found */
export function transferTokens(move: TokenMove, references: readonly string[]): Instruction {
  const { source, mint, to, owner, units, decimals, program } = move
  const from = { address: owner, signer: true } as const
  const accounts = [writable(source), reader(mint), writable(to), from, ...references.map(reader)]
  return { program, accounts, data: concatBytes(Uint8Array.of(12), number(units, 8), Uint8Array.of(decimals)) }
}

/** Creates an owner's associated token account, unless it is there. */
export function createTokenAccount(
  payer: string,
  { account, owner, mint, program }: { account: string; owner: string; mint: string; program: string },
): Instruction {
  const fixed = [reader(owner), reader(mint), reader(programs.system), reader(program)]
  return {
    program: programs.associatedToken,
    accounts: [signing(payer), writable(account), ...fixed],
    data: Uint8Array.of(1),
  }
}

/**
 * Compiles a legacy message.
 *
 * @param payer base58; pays the fee, and signs first
 * @param blockhash base58 of 32 bytes, or the value of a durable nonce
 * @throws Fault `bad_input` when a key is not base58 of 32 bytes
 */
export function messageOf(payer: string, instructions: readonly Instruction[], blockhash: string): Uint8Array {
  const keys = orderedKeys(payer, instructions)
  const places = new Map(keys.map(({ address }, at) => [address, at]))
  const signers = keys.filter(({ signer }) => signer)
  const readOnly = (list: typeof keys) => list.filter(use => !use.writable).length
  return concatBytes(
    Uint8Array.of(signers.length, readOnly(signers), readOnly(keys.filter(({ signer }) => !signer))),
    compactLength(keys.length),
    ...keys.map(({ address }) => key(address)),
    key(blockhash),
    compactLength(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(places.get(program) ?? 0),
      compactLength(accounts.length),
      Uint8Array.from(accounts, ({ address }) => places.get(address) ?? 0),
      compactLength(data.length),
      data,
    ]),
  )
}

type KeyUse = { address: string; signer: boolean; writable: boolean }

/** The payer, then writable signers, read-only signers, writable others, read-only others, each in the order of first use. */
function orderedKeys(payer: string, instructions: readonly Instruction[]): KeyUse[] {
  const uses = new Map<string, KeyUse>([[payer, { address: payer, signer: true, writable: true }]])
  const add = ({ address, signer = false, writable: isWritten = false }: Partial<KeyUse> & { address: string }) => {
    const known = uses.get(address)
    uses.set(address, {
      address,
      signer: (known?.signer ?? false) || signer,
      writable: (known?.writable ?? false) || isWritten,
    })
  }
  for (const { accounts } of instructions) for (const use of accounts) add(use)
  for (const { program } of instructions) add({ address: program })
  const rank = (use: KeyUse) => (use.signer ? 0 : 2) + (use.writable ? 0 : 1)
  return [...uses.values()].sort((a, b) => rank(a) - rank(b))
}

function number(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}

/** 7 bits a byte, least first. */
function compactLength(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
}

function key(address: string): Uint8Array {
  const bytes = address.length <= 44 ? decodeBase58(address) : undefined
  if (bytes?.length !== 32)
    throw new Fault('bad_input', `a message expected keys in base58 of 32 bytes, got ${address.length} characters`)
  return bytes
}
