import { isRecord } from '../../runtime/json/isRecord.ts'
import { Fault, type Failure, type FailureCode } from '../../runtime/failure.ts'

/**
 * A transaction's error, parsed from a node's JSON: `name` as validators write it, `instruction` counts from 0,
 * `custom` is the program's own number, `account` the index of the account a rent error is about.
 */
export type TransactionError = { name: string; instruction?: number; custom?: number; account?: number }

/** @returns undefined for null, which means success; an unreadable error has the name `Unreadable` */
export function readTransactionError(err: unknown): TransactionError | undefined {
  if (err === null || err === undefined) return undefined
  if (typeof err === 'string') return { name: nameOf(err) }
  const entry = firstEntry(err)
  if (!entry) return { name: 'Unreadable' }
  const [name, inside] = entry
  if (name === 'InstructionError' && Array.isArray(inside)) {
    const instruction = wholeOf(inside[0])
    const where = instruction === undefined ? {} : { instruction }
    const cause: unknown = inside[1]
    if (typeof cause === 'string') return { name: nameOf(cause), ...where }
    const [inner = 'Unreadable', number] = firstEntry(cause) ?? []
    const custom = wholeOf(number)
    return { name: nameOf(inner), ...where, ...(custom === undefined ? {} : { custom }) }
  }
  const account = wholeOf(firstEntry(inside)?.[1])
  return { name: nameOf(name), ...(account === undefined ? {} : { account }) }
}

/** @returns the error as a clause: `instruction 3 failed with Custom 1` */
export function transactionErrorText(error: TransactionError): string {
  const { name, instruction, custom, account } = error
  const cause = custom === undefined ? name : `${name} ${custom}`
  if (instruction !== undefined) return `instruction ${instruction} failed with ${cause}`
  return account === undefined ? `it failed with ${cause}` : `it failed with ${cause} for account ${account}`
}

/** @returns the failure of a transaction that landed and moved nothing but its fee */
export function onChainFailure(error: TransactionError): Failure {
  const message = `the transaction landed, but ${transactionErrorText(error)}`
  return { code: 'on_chain_error', message, facts: factsOf(error) }
}

/**
 * @param kind the order's asset: the same number means different errors in different programs
 * @returns the failure of a transaction that a node refused in preflight or simulation
 */
export function refusedFault(error: TransactionError, kind: 'native' | 'spl'): Fault {
  const sentence = `the order expected to pass its trial, but ${transactionErrorText(error)}`
  return new Fault(refusalCode(error, kind), sentence, factsOf(error))
}

const byName: Record<string, FailureCode> = {
  AccountNotFound: 'account_not_found',
  InsufficientFundsForFee: 'insufficient_sol',
  InsufficientFundsForRent: 'rent',
  InvalidRentPayingAccount: 'rent',
  BlockhashNotFound: 'blockhash_not_found',
  ComputationalBudgetExceeded: 'compute',
  ProgramFailedToComplete: 'compute',
}
// Errors of the System program and of SPL Token, by number
const systemErrors: Record<number, FailureCode> = { 1: 'insufficient_sol' }
const tokenErrors: Record<number, FailureCode> = { 1: 'insufficient_token', 18: 'decimals' }

function refusalCode({ name, custom }: TransactionError, kind: 'native' | 'spl'): FailureCode {
  if (custom !== undefined) return (kind === 'native' ? systemErrors : tokenErrors)[custom] ?? 'simulation_failed'
  return Object.hasOwn(byName, name) ? (byName[name] ?? 'simulation_failed') : 'simulation_failed'
}

function factsOf({ name, instruction, custom, account }: TransactionError): Record<string, string | number> {
  return {
    name,
    ...(instruction === undefined ? {} : { instruction }),
    ...(custom === undefined ? {} : { custom }),
    ...(account === undefined ? {} : { account }),
  }
}

function firstEntry(value: unknown): [string, unknown] | undefined {
  return isRecord(value) ? Object.entries(value)[0] : undefined
}

function nameOf(name: string): string {
  return /^[A-Za-z0-9]{1,60}$/.test(name) ? name : 'Unreadable'
}

function wholeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
