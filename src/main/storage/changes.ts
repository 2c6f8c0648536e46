/**
 * The writes that bring local storage to the wanted entries, as a pure function.
 *
 * 1. Only values that differ are written: two tabs of one log want the same, so the second one writes nothing.
 * 2. `@appkit/mai:written` names the connections that this mirror wrote, in whichever tab or visit. Only those are removed;
 *    connections of other libraries stay.
 * 3. Members that do not fit are dropped from a value when it is rewritten, and counted.
 */
import { setConnections, setConnectors } from './connectionChanges.ts'
import type { Entries } from './entries.ts'
import type { StorageKey } from './formats.ts'
import { clearedAtStart, isCacheExpired, chainNamespaces, storageKeys as keys } from './keys.ts'
import { type StorageChanges, createPass, isEmpty, type Pass } from './pass.ts'
import type { StoredWallet, Written } from './shapes.ts'

/** Version of this mirror's keys. */
export const schemaVersion = 1
/** Wallets among the recent ones. */
const recentLimit = 2

/**
 * @param stored reads a text by name, null when there is none
 * @param now ms since the Unix epoch
 * @param isStart whether this is the page's first pass
 */
export function changesTo(
  wanted: Entries,
  stored: (name: string) => string | null,
  { now, isStart }: { now: number; isStart: boolean },
): StorageChanges {
  const writes: StorageChanges['writes'] = new Map()
  const misfits = new Map<string, number>()
  const pass = createPass(stored, writes, misfits)
  const before = pass.get(keys.written) ?? { connections: {} }
  const isConnected = Object.keys(wanted.connectors).length > 0
  // First, so that a device that fills up in between knows what to remove
  pass.set(keys.schema, String(schemaVersion))
  pass.set(keys.written, writtenOf(wanted))
  if (isStart && !isConnected && pass.get(keys.status) === 'disconnected')
    for (const key of clearedAtStart) pass.set<never>(key as StorageKey<never>, undefined)
  if (isConnected || !isEmpty(before.connections)) {
    setConnections(pass, before, wanted)
    setConnectors(pass, before, wanted)
  }
  setStatus(pass, before, wanted, isConnected)
  setWallets(pass, before, wanted)
  setBalances(pass, wanted, now)
  return { writes, dropped: [...misfits.values()].reduce((sum, count) => sum + count, 0) }
}

function writtenOf({ connections, deepLink }: Entries): Written {
  const named = Object.entries(connections).map(
    ([namespace, list]) =>
      [
        namespace,
        Object.fromEntries(list.map(({ connectorId, accounts }) => [connectorId, accounts.map(one => one.address)])),
      ] as const,
  )
  return { connections: Object.fromEntries(named), ...(deepLink && { href: deepLink.href }) }
}

/** Without a connection here the status stays as long as another library is connected. */
function setStatus(pass: Pass, before: Written, wanted: Entries, isConnected: boolean): void {
  const mine = chainNamespaces.filter(namespace => wanted.connectors[namespace] !== undefined)
  const stored = pass.get(keys.connectedNamespaces) ?? []
  const others = stored.filter(name => !(mine as string[]).includes(name) && !Object.hasOwn(before.connections, name))
  const all = [...others, ...mine]
  // In the order that is stored, so that an equal set is no change
  const listed = [...stored.filter(name => all.includes(name)), ...all.filter(name => !stored.includes(name))]
  if (isConnected || !isEmpty(before.connections)) pass.set(keys.connectedNamespaces, listed)
  if (isConnected) pass.set(keys.status, 'connected')
  else if (others.length === 0) pass.set(keys.status, 'disconnected')
  if (wanted.network === undefined) return
  pass.set(keys.activeNamespace, 'solana')
  pass.set(keys.activeNetwork, wanted.network)
}

function setWallets(pass: Pass, before: Written, { recent, deepLink }: Entries): void {
  if (recent) {
    const stored = pass.get(keys.recentWallets) ?? []
    // A wallet that is listed keeps its place
    if (!stored.some(isWallet(recent))) pass.set(keys.recentWallets, [recent, ...stored].slice(0, recentLimit))
    const newest = pass.get(keys.recentWallet)
    if (!newest || !isWallet(recent)(newest)) pass.set(keys.recentWallet, recent)
  }
  if (deepLink) pass.set(keys.deepLink, deepLink)
  else if (before.href !== undefined && pass.get(keys.deepLink)?.href === before.href)
    pass.set(keys.deepLink, undefined)
}

const isWallet =
  ({ id }: StoredWallet) =>
  (other: StoredWallet) =>
    other.id === id

function setBalances(pass: Pass, { balances }: Entries, now: number): void {
  const key = keys.nativeBalances
  const stored = pass.get(key) ?? {}
  const fresh = Object.entries({ ...stored, ...balances }).filter(
    ([, { timestamp }]) => !isCacheExpired(now, timestamp, key.ttlMs ?? 0),
  )
  if (isEmpty(stored) && fresh.length === 0) return
  pass.set(key, fresh.length > 0 ? Object.fromEntries(fresh) : undefined)
}
