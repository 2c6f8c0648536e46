/** Names of instructions, apart from the programs' addresses: only readers of bytes need them. */
import { programs } from './programs.ts'
import { dataViewOf } from '../../../runtime/dataView.ts'

const systemNames = [
  'createAccount',
  'assign',
  'transfer',
  'createAccountWithSeed',
  'advanceNonceAccount',
  'withdrawNonceAccount',
  'initializeNonceAccount',
  'authorizeNonceAccount',
  'allocate',
  'allocateWithSeed',
  'assignWithSeed',
  'transferWithSeed',
  'upgradeNonceAccount',
]
const tokenNames = [
  'initializeMint',
  'initializeAccount',
  'initializeMultisig',
  'transfer',
  'approve',
  'revoke',
  'setAuthority',
  'mintTo',
  'burn',
  'closeAccount',
  'freezeAccount',
  'thawAccount',
  'transferChecked',
  'approveChecked',
  'mintToChecked',
  'burnChecked',
  'initializeAccount2',
  'syncNative',
  'initializeAccount3',
]
/** Name and exact length in bytes. */
const computeBudgetNames = [
  ['requestUnits', 9],
  ['requestHeapFrame', 5],
  ['setComputeUnitLimit', 5],
  ['setComputeUnitPrice', 9],
  ['setLoadedAccountsDataSizeLimit', 5],
] as const
/**
 * Lighthouse's instructions, by number. The last two call other programs, and higher numbers are unknown, so neither
 * counts as an assertion.
 * @see lighthouse-sdk 2.1.0, LighthouseInstruction
 */
const assertionNames = [
  'memoryWrite',
  'memoryClose',
  ...Array<string>(14).fill('assert'),
  'assertMerkleTree',
  'assertTreeConfig',
]
const associatedTokenNames = ['create', 'createIdempotent', 'recoverNested']

/**
 * Names an instruction by its program and first data bytes, for messages and for the list of allowed instructions.
 * A compute setting has a name only at its exact length: the chain fails any other, and charges the fee.
 *
 * @returns undefined when the program or its number is unknown
 */
export function instructionName(program: string, data: Uint8Array): string | undefined {
  switch (program) {
    case programs.system:
      return data.length < 4 ? undefined : systemNames[dataViewOf(data).getUint32(0, true)]
    case programs.token:
    case programs.token2022:
      return tokenNames[data[0] ?? -1]
    case programs.computeBudget:
      return computeBudgetNames.find(([, length], number) => number === data[0] && length === data.length)?.[0]
    case programs.associatedToken:
      return associatedTokenNames[data[0] ?? 0]
    case programs.assertion:
      return assertionNames[data[0] ?? -1]
    default:
      return undefined
  }
}
