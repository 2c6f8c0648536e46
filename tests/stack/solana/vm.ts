import { createRequire } from 'node:module'
import type * as Native from 'litesvm/dist/internal.js'
import { base58, readLittleEndian } from './bytes.ts'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS, type TransactionError } from './errors.ts'
import { addressBytes } from './keys.ts'
import { COMPUTE_BUDGET } from './programs.ts'
import type { WireTransaction } from './wire.ts'

/** An account's whole state; an absent account is undefined wherever one is read. */
export type Account = { lamports: bigint; owner: string; data: Uint8Array; executable: boolean }

export type InnerInstruction = { program: number; accounts: number[]; data: Uint8Array; stackHeight: number }

/** Outcome of a transaction. */
export type Outcome = {
  err: TransactionError | null
  /** executed, so the fee was paid and the signature counts, even when `err` is set */
  landed: boolean
  logs: string[]
  units: bigint
  /** by top-level instruction; empty lists for instructions without inner calls */
  inner: InnerInstruction[][]
  returnData: { program: string; data: Uint8Array } | undefined
}

/** The virtual machine as the chain uses it. */
export type Vm = {
  send(transaction: WireTransaction): Outcome
  simulate(transaction: WireTransaction, checkSignatures: boolean): Outcome & { after: Map<string, Account> }
  read(address: string): Account | undefined
  write(address: string, account: Account): void
  setClock(slot: number, unixTime: number): void
  /** newest first */
  setSlotHashes(hashes: { slot: number; hash: string }[]): void
  /** moves on the VM's own blockhash, which durable nonces are made from */
  nextBlockhash(): void
  minimumRent(dataLength: number): bigint
  /** units of each call of a program into the system from now on, such as a memo's; the public clusters ask more than the VM */
  setCallUnits(units: bigint): void
}

/** Slots in an epoch, as on the public clusters. */
export const SLOTS_PER_EPOCH = 432_000

/**
 * Starts a virtual machine.
 * Only transactions read by `wire.ts` and 32-byte addresses may reach native code: it aborts the process on anything else.
 *
 * @throws Error with one sentence and the remedy when the native binding is missing
 */
export function openVm(): Vm {
  const native = loadNative()
  const svm = new native.LiteSvm()
  // The chain keeps its own 150-block window, duplicate check and history; the VM knows one blockhash only.
  svm.setBlockhashCheck(false)
  svm.setTransactionHistory(0n)
  svm.withNativeMints()

  /** Data of executable accounts, which no loader changes: each is a copy of up to a megabyte, and every transaction names some. */
  const code = new Map<string, Uint8Array>()
  const read = (address: string): Account | undefined => {
    const account = svm.getAccount(addressBytes(address))
    if (!account || account.lamports() <= 0n) return undefined
    if (!account.executable()) return fromNative(account)
    const read = fromNative(account, code.get(address))
    code.set(address, read.data)
    return read
  }
  let callUnits: bigint | undefined
  /** The VM takes the limit from its own budget, once it has one. */
  const budgetFor = (transaction: WireTransaction) => {
    if (callUnits === undefined) return
    const budget = new native.ComputeBudget()
    budget.computeUnitLimit = unitLimitOf(transaction)
    budget.syscallBaseCost = callUnits
    svm.setComputeBudget(budget)
  }
  return {
    send(transaction) {
      budgetFor(transaction)
      return outcome(native, svm.sendVersionedTransaction(transaction.bytes))
    },
    simulate(transaction, checkSignatures) {
      budgetFor(transaction)
      // Switching signature checks off also switches duplicate detection off, so only around this one call.
      if (!checkSignatures) svm.setSigverify(false)
      try {
        const result = svm.simulateVersionedTransaction(transaction.bytes)
        const after = new Map<string, Account>()
        if (result instanceof native.SimulatedTransactionInfo)
          for (const entry of result.postAccounts()) after.set(base58(entry.address), fromNative(entry.account()))
        return { ...outcome(native, result), after }
      } finally {
        if (!checkSignatures) svm.setSigverify(true)
      }
    },
    read,
    write(address, account) {
      code.delete(address)
      svm.setAccount(
        addressBytes(address),
        new native.Account(account.lamports, account.data, addressBytes(account.owner), account.executable, 0n),
      )
    },
    setClock(slot, unixTime) {
      const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
      svm.setClock(new native.Clock(BigInt(slot), BigInt(unixTime), epoch, epoch + 1n, BigInt(unixTime)))
    },
    setSlotHashes: hashes => svm.setSlotHashes(hashes.map(({ slot, hash }) => ({ slot: BigInt(slot), hash }))),
    nextBlockhash: () => svm.expireBlockhash(),
    minimumRent: dataLength => svm.minimumBalanceForRentExemption(BigInt(dataLength)),
    setCallUnits(units) {
      callUnits = units
    },
  }
}

/** The limit that a transaction asks for; without one 200,000 units an instruction. */
function unitLimitOf({ instructions, addresses }: WireTransaction): bigint {
  const limit = instructions.find(({ program, data }) => addresses[program] === COMPUTE_BUDGET && data[0] === 2)
  return limit ? readLittleEndian(limit.data, 1, 4) : 200_000n * BigInt(instructions.length)
}

type Binding = typeof Native

function loadNative(): Binding {
  const require = createRequire(import.meta.url)
  try {
    return require('litesvm/dist/internal.js') as Binding
  } catch (cause) {
    throw new Error(missingBindingSentence(process.platform, process.arch), { cause })
  }
}

/** Message for a machine without the native binding. */
export function missingBindingSentence(platform: string, arch: string): string {
  const start = `litesvm has no binding for ${platform}-${arch}`
  if (platform === 'win32') return `${start}: the local Solana chain needs Linux or macOS; on Windows run it inside WSL`
  const published = ['linux', 'darwin'].includes(platform) && ['x64', 'arm64'].includes(arch)
  return published
    ? `${start} in node_modules: run "npm ci" again, without --omit=optional`
    : `${start}: use linux or darwin on x64 or arm64, or a container of one of them`
}

function fromNative(account: Native.Account, data = account.data()): Account {
  return {
    lamports: account.lamports(),
    owner: base58(account.owner()),
    data,
    executable: account.executable(),
  }
}

type NativeResult = Native.TransactionMetadata | Native.SimulatedTransactionInfo | Native.FailedTransactionMetadata

function outcome(native: Binding, result: NativeResult): Outcome {
  const failed = result instanceof native.FailedTransactionMetadata
  const meta = result instanceof native.TransactionMetadata ? result : result.meta()
  const returned = meta.returnData()
  const data = returned.data()
  return {
    err: failed ? errorName(native, result.err()) : null,
    // A transaction refused before running has an all-zero signature; one that failed while running has paid its fee.
    landed: meta.signature().some(byte => byte !== 0),
    logs: meta.logs(),
    units: meta.computeUnitsConsumed(),
    inner: meta.innerInstructions().map(list =>
      list.map(entry => ({
        program: entry.instruction().programIdIndex(),
        accounts: [...entry.instruction().accounts()],
        data: entry.instruction().data(),
        stackHeight: entry.stackHeight(),
      })),
    ),
    returnData: data.length > 0 ? { program: base58(returned.programId()), data } : undefined,
  }
}

function errorName(native: Binding, err: ReturnType<Native.FailedTransactionMetadata['err']>): TransactionError {
  if (typeof err === 'number') return TRANSACTION_ERRORS[err] ?? `Unknown${err}`
  if (err instanceof native.TransactionErrorInstructionError)
    return { InstructionError: [err.index, instructionError(native, err.err())] }
  if (err instanceof native.TransactionErrorDuplicateInstruction) return { DuplicateInstruction: err.index }
  if (err instanceof native.TransactionErrorInsufficientFundsForRent)
    return { InsufficientFundsForRent: { account_index: err.accountIndex } }
  return { ProgramExecutionTemporarilyRestricted: { account_index: err.accountIndex } }
}

function instructionError(
  native: Binding,
  err: ReturnType<Native.TransactionErrorInstructionError['err']>,
): TransactionError {
  if (typeof err === 'number') return INSTRUCTION_ERRORS[err] ?? `Unknown${err}`
  if (err instanceof native.InstructionErrorCustom) return { Custom: err.code }
  return { BorshIoError: (err as Native.InstructionErrorBorshIO).msg }
}
