import { fixtureEvmAccount } from '../../fixtures.ts'
import type { World } from '../../world.ts'

/** A registered name, as the wire has it. */
export type NameRecord = {
  name: string
  /** ISO 8601 */
  registered_at: string
  updated_at: string
  attributes: Record<string, string>
  /** by coin type (ENSIP-11) */
  addresses: Record<string, { address: string; created_at: string | null }>
}

/** Registered names; a reset leaves `alice.reown.id` alone. */
export type Names = {
  get(name: string): NameRecord | undefined
  of(address: string): NameRecord[]
  register(entry: { name: string; address: string; coinType: number; attributes: Record<string, string> }): NameRecord
}

export const zones = ['reown.id', 'wcn.id']

/** @returns why a full name is refused; undefined for a good one */
export function nameProblem(name: string): string | undefined {
  if (!/^[a-z0-9.-]+$/.test(name)) return 'Invalid name format'
  const [label = '', ...zone] = name.split('.')
  if (zone.length !== 2) return 'Invalid name format'
  if (label.length < 3 || label.length > 64) return 'Invalid name length'
  return zones.includes(zone.join('.')) ? undefined : 'The zone is not allowed'
}

export function createNames(world: World): Names {
  const registered = new Map<string, NameRecord>()
  const register: Names['register'] = ({ name, address, coinType, attributes }) => {
    const at = new Date(world.now()).toISOString()
    const held = { address, created_at: at }
    const record = { name, registered_at: at, updated_at: at, attributes, addresses: { 60: held, [coinType]: held } }
    registered.set(name, record)
    return record
  }
  const restore = () => {
    registered.clear()
    register({ name: 'alice.reown.id', address: fixtureEvmAccount, coinType: 60, attributes: {} })
  }
  restore()
  world.onReset(restore)
  return {
    get: name => registered.get(name),
    of: address =>
      [...registered.values()].filter(({ addresses }) =>
        Object.values(addresses).some(one => one.address.toLowerCase() === address.toLowerCase()),
      ),
    register,
  }
}
