/**
 * Whether a transaction is the agreed order, a second time: written from the specification alone, over the local chain's own reader.
 * It shares no code with the product's check.
 *
 * @see reference "Presale", §6 and §9
 */
import { createPublicKey, verify } from 'node:crypto'
import type { ExpectedOrder } from '../../../../../src/worker/chains/solana/check.ts'
import { readLittleEndian } from '../../../../stack/solana/bytes.ts'
import { COMPUTE_BUDGET, MEMO, SYSTEM, TOKEN } from '../../../../stack/solana/programs.ts'
import { readTransaction, WireError, type WireTransaction } from '../../../../stack/solana/wire.ts'

const ASSERTION = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
const SIGNATURE_LAMPORTS = 5_000n
const MOST_PRIORITY = 500_000n
const MOST_UNITS = 1_400_000n
const SETTINGS: Record<number, number> = { 1: 5, 2: 5, 3: 9, 4: 5 }

type Reading = { kinds: string[]; priority: bigint; wire: WireTransaction }

/** Whether a person may be asked to sign these bytes: exactly the order, at exactly the shown fee. */
export function mayBeAsked(bytes: Uint8Array, order: ExpectedOrder): boolean {
  const reading = readingOf(bytes, order)
  if (!reading) return false
  const wanted = ['setting 2', 'setting 3', ...(order.memo === '' ? [] : ['memo']), 'payment']
  const fee = SIGNATURE_LAMPORTS + reading.priority
  return reading.kinds.join() === wanted.join() && fee === BigInt(order.fee) && reading.priority <= MOST_PRIORITY
}

/** Whether these signed bytes may be sent: the order, with assertions and settings beside it, its fee within ten times the shown one. */
export function mayBeSent(bytes: Uint8Array, order: ExpectedOrder): boolean {
  const reading = readingOf(bytes, order)
  if (!reading) return false
  const most = BigInt(order.fee) * 10n
  if (reading.priority > (most < MOST_PRIORITY ? most : MOST_PRIORITY)) return false
  const { keys, message, signatures } = reading.wire
  const x = Buffer.from(keys[0] ?? []).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, signatures[0] ?? new Uint8Array(64))
}

function readingOf(bytes: Uint8Array, order: ExpectedOrder): Reading | undefined {
  const wire = wireOf(bytes)
  if (!wire) return undefined
  const { header, addresses, blockhash, lookups } = wire
  if (header.signers !== 1 || addresses[0] !== order.buyer || lookups.length > 0) return undefined
  if (order.blockhash !== undefined && blockhash !== order.blockhash) return undefined
  const kinds = wire.instructions.map(instruction => kindOf(wire, instruction, order))
  const times = (name: string) => kinds.filter(kind => kind === name).length
  if (kinds.includes('other') || times('payment') !== 1 || times('memo') !== (order.memo === '' ? 0 : 1))
    return undefined
  if (Object.keys(SETTINGS).some(setting => times(`setting ${setting}`) > 1)) return undefined
  return { kinds, priority: priorityOf(wire, kinds), wire }
}

function wireOf(bytes: Uint8Array): WireTransaction | undefined {
  try {
    const wire = readTransaction(bytes)
    return new Set(wire.addresses).size === wire.addresses.length ? wire : undefined
  } catch (cause) {
    if (cause instanceof WireError) return undefined
    throw cause
  }
}

function kindOf(
  wire: WireTransaction,
  { program, accounts, data }: WireTransaction['instructions'][number],
  { memo, transfer }: ExpectedOrder,
): string {
  const first = data[0] ?? 0
  switch (wire.addresses[program]) {
    case COMPUTE_BUDGET:
      return SETTINGS[first] === data.length ? `setting ${first}` : 'other'
    case ASSERTION:
      return data.length > 0 && first >= 2 && first <= 15 ? 'assertion' : 'other'
    case MEMO:
      return accounts.length === 0 && Buffer.from(memo).equals(data) ? 'memo' : 'other'
    case SYSTEM: {
      if (transfer.kind !== 'transfer' || data.length !== 12 || readLittleEndian(data, 0, 4) !== 2n) return 'other'
      const isAmount = readLittleEndian(data, 4, 8) === BigInt(transfer.lamports)
      return isAmount && areKeys(wire, accounts, [transfer.from, transfer.to], transfer.references)
        ? 'payment'
        : 'other'
    }
    case TOKEN: {
      if (transfer.kind !== 'tokenTransfer' || data.length !== 10 || first !== 12) return 'other'
      const { source, mint, destination, owner, amount, decimals, references } = transfer
      const isAmount = readLittleEndian(data, 1, 8) === BigInt(amount) && data[9] === decimals
      return isAmount && areKeys(wire, accounts, [source, mint, destination, owner], references) ? 'payment' : 'other'
    }
    default:
      return 'other'
  }
}

/** These accounts in this order; the references neither sign nor are written. */
function areKeys(
  { addresses, header }: WireTransaction,
  accounts: readonly number[],
  named: readonly string[],
  references: readonly string[],
): boolean {
  if (accounts.map(place => addresses[place]).join() !== [...named, ...references].join()) return false
  const firstReadOnly = addresses.length - header.readonlyOthers
  return accounts.slice(named.length).every(place => place >= header.signers && place >= firstReadOnly)
}

/** Lamports, rounded up; without a limit 200,000 units an instruction. */
function priorityOf({ instructions }: WireTransaction, kinds: readonly string[]): bigint {
  const numberOf = (setting: number, length: number) => {
    const data = instructions[kinds.indexOf(`setting ${setting}`)]?.data
    return data && readLittleEndian(data, 1, length)
  }
  const limit = numberOf(2, 4) ?? 200_000n * BigInt(instructions.length)
  const units = limit < MOST_UNITS ? limit : MOST_UNITS
  return (units * (numberOf(3, 8) ?? 0n) + 999_999n) / 1_000_000n
}
