/**
 * The ledger that the state directory holds, so that the next reading asks the node for what is new alone.
 *
 * 1. It ends 64 slots before the newest final one, where no node changes its mind.
 * 2. A file's own hash shows damage, before anything in it is used; its rows are chained from the terms to its state, whose figures are
 *    those of its rows.
 * 3. Later transactions are linked to it by the balances, as every transaction of a ledger to the one before it.
 * 4. A file is written whole: of two commands the last one leaves its own.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Fault } from '../../../src/runtime/failure.ts'
import { isRecord } from '../../../src/runtime/json/isRecord.ts'
import { presaleRef } from '../../../src/worker/chains/solana/references.ts'
import type { PartLedger } from '../../../src/worker/ledger/computeLedger.ts'
import { chainedHash } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { LedgerState } from '../../../src/worker/ledger/ledgerState.ts'
import { hashText } from '../../../src/worker/services/notices.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import { checkVersions, textOf } from '../saleFiles.ts'
import { makeFolder, writeWhole } from '../writeWhole.ts'
import type { TracedRow } from './trace.ts'

/** `transactions`: listed up to the part's slot. */
export type StoredLedger = { part: PartLedger; transactions: number; rows: TracedRow[] }

const format = 'mai-presale-stored-ledger/1'

/** @returns the file in a state directory */
export function storedPath(directory: string): string {
  return join(directory, 'ledger.jsonl')
}

/**
 * @returns undefined where there is none
 * @throws Fault `storage_down` naming the line that is damaged; `bad_input` when it is of another sale, or of terms that are not given
 */
export function readStored(directory: string, sale: LedgerSale): StoredLedger | undefined {
  const path = storedPath(directory)
  if (!existsSync(path)) return undefined
  const text = textOf(path)
  const [first = '', ...lines] = text.split('\n').slice(0, -1)
  const damaged = (place: string, expected: string, got: string) =>
    new Fault(
      'storage_down',
      `${path}, ${place}: expected ${expected}, got ${got}. The file is damaged or was changed; "ledger --whole" reads the chain anew in its place`,
    )
  const [, start, check] = /^(\{.*),"check":"([0-9a-f]{64})"\}$/s.exec(first) ?? []
  if (start === undefined || check === undefined) throw damaged('line 1', 'the head of a stored ledger', 'another text')
  const whole = `${start}}`
  if (hashText([whole, ...lines].join('\n')) !== check) throw damaged('the whole', `sha256 ${check}`, 'another')
  const head = parsed(whole, unpacked) as Head
  if (head.format !== format) throw damaged('line 1', `format ${format}`, String(head.format))
  const { terms, hash } = sale.first
  if (head.presale !== presaleRef(terms.authority, terms.id))
    throw refused(`${path} expected sale ${terms.id}, got another sale: give each its own --state`)
  const { state } = head
  if (head.terms !== hash) {
    checkVersions(sale, state.announced)
    throw refused(
      `${path} expected terms ${hash}, got ${head.terms}, not announced up to slot ${head.slot}: "ledger --whole" reads the chain anew with the given ones`,
    )
  }
  const rows = chained(lines, sale, (line, got) => damaged(`line ${line}`, 'a row that follows the one before it', got))
  const last = rows.at(-1)?.row.h ?? hash
  if (rows.length !== state.rows || bytesToHex(state.hash) !== last)
    throw damaged('its end', `${state.rows} rows up to hash ${bytesToHex(state.hash)}`, `${rows.length} up to ${last}`)
  for (const [name, said, found] of figuresOf(state, rows))
    if (said !== found) throw damaged('its state', `${name} ${found}, as its rows have it`, said)
  // As for a whole reading
  checkVersions(sale, state.announced)
  const { slot, seconds, transactions } = head
  return { part: { slot, seconds, state }, transactions, rows }
}

/** Writes a part with its rows; a directory that does not exist is made. @throws Fault `bad_input` naming what cannot be written */
export function keepStored(
  directory: string,
  sale: LedgerSale,
  { part: { slot, seconds, state }, transactions, rows }: StoredLedger,
): void {
  const { terms, hash } = sale.first
  const presale = presaleRef(terms.authority, terms.id)
  const whole: Head = { format, presale, terms: hash, transactions, slot, seconds, state }
  const lines = rows.map(one => JSON.stringify(one))
  const check = hashText([packed(whole), ...lines].join('\n'))
  const head = packed({ ...whole, check })
  makeFolder('the state directory', directory, 0o700)
  writeWhole(storedPath(directory), [head, ...lines, ''].join('\n'))
}

type Head = {
  format: string
  presale: string
  terms: string
  slot: number
  seconds: number
  transactions: number
  state: LedgerState
}

function chained(
  lines: readonly string[],
  sale: LedgerSale,
  damaged: (line: number, got: string) => Fault,
): TracedRow[] {
  let hash: Uint8Array = hexToBytes(sale.first.hash)
  return lines.map((line, at) => {
    // The head is line 1
    const place = at + 2
    const traced = parsed(line) as TracedRow | undefined
    if (!isRecord(traced) || !isRecord(traced.row)) throw damaged(place, 'another text')
    const { h, ...row } = traced.row
    hash = chainedHash(hash, row)
    if (bytesToHex(hash) !== h || row.i !== at + 1) throw damaged(place, `row ${String(row.i)} with another hash`)
    return traced
  })
}

/** Figures of a state, and the same by its rows, as text. */
function figuresOf(state: LedgerState, rows: readonly TracedRow[]): [string, string, string][] {
  const statuses = new Map<string, number>()
  let [tokens, orders] = [0n, 0]
  const owed = new Map<string, bigint>()
  for (const { row } of rows) {
    statuses.set(row.status, (statuses.get(row.status) ?? 0) + 1)
    tokens += BigInt(row.tokens ?? 0)
    if (BigInt(row.accepted ?? 0) > 0n) orders += 1
    const refund = BigInt(row.refund ?? 0)
    if (refund > 0n) owed.set(row.asset ?? '', (owed.get(row.asset ?? '') ?? 0n) + refund)
  }
  const text = (map: ReadonlyMap<string, unknown>) =>
    [...map]
      .map(([name, value]) => `${name} ${value}`)
      .sort()
      .join(', ')
  return [
    ['statuses', text(state.statuses), text(statuses)],
    ['tokens', String(state.tokens), String(tokens)],
    ['orders', String(state.orders), String(orders)],
    ['refunds', text(state.owed), text(owed)],
  ]
}

/** @returns JSON in which a list names the kind of a value that JSON does not have */
function packed(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one === 'bigint') return ['bigint', one.toString()]
    if (one instanceof Map) return ['map', ...one]
    if (one instanceof Set) return ['set', ...one]
    if (one instanceof Uint8Array) return ['bytes', bytesToHex(one)]
    return Array.isArray(one) ? ['list', ...one] : one
  })
}

function unpacked(_key: string, one: unknown): unknown {
  if (!Array.isArray(one)) return one
  const [kind, ...values] = one as [string, ...unknown[]]
  if (kind === 'bigint') return BigInt(String(values[0]))
  if (kind === 'map') return new Map(values as [string, unknown][])
  if (kind === 'set') return new Set(values)
  return kind === 'bytes' ? hexToBytes(String(values[0])) : values
}

/** @returns undefined when the text is no JSON, or holds a value that is not of its kind */
function parsed(text: string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive)
  } catch {
    return undefined
  }
}
