import { iconOf } from './icon.ts'

/**
 * Hostile wallets: every property throws; properties differ on each read; announcements that are not wallets; a flood of
 * wallets.
 */
export type HostileKind = 'throwing' | 'changing' | 'nonsense' | 'flood'

/** Announcements of a hostile wallet; each item is registered by itself. */
export function hostileWallets(kind: HostileKind, name: string): unknown[] {
  if (kind === 'throwing') return [throwing(name)]
  if (kind === 'changing') return [changing(name)]
  if (kind === 'flood') return Array.from({ length: 1000 }, (_, n) => plain(`${name} ${n}`))
  return [
    null,
    7,
    'wallet',
    [],
    {},
    { ...plain(name), name: 5 },
    { ...plain(name), name: '' },
    { ...plain(name), features: null },
    { ...plain(name), features: { 'standard:connect': 'yes' } },
    { ...plain(name), chains: 'solana:mainnet' },
    { ...plain(name), accounts: [{ address: 7 }] },
    { ...plain(name), icon: 'javascript:alert(1)' },
    JSON.parse(`{"__proto__":{"polluted":true},"name":"${name}"}`),
  ]
}

function plain(name: string) {
  const connect = async () => ({ accounts: [] })
  const features = {
    'standard:connect': { version: '1.0.0', connect },
    'standard:events': { version: '1.0.0', on: () => () => {} },
    'solana:signAndSendTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] },
  }
  return { version: '1.0.0', name, icon: iconOf(name), chains: ['solana:mainnet'], features, accounts: [] }
}

function throwing(name: string): unknown {
  const refuse = (property: string | symbol): never => {
    throw new Error(`${name} does not tell its ${String(property)}`)
  }
  return new Proxy(
    {},
    { get: (_, property) => refuse(property), has: (_, property) => refuse(property), ownKeys: () => refuse('keys') },
  )
}

/** Honest at the first read, then under another wallet's name and with other code behind its features. */
function changing(name: string): unknown {
  let reads = 0
  const first = plain(name)
  const second = {
    ...plain('Quill'),
    features: { 'standard:connect': { connect: () => Promise.reject(new Error('swapped')) } },
  }
  return new Proxy(first, {
    get: (target, property) => Reflect.get(reads++ < 6 ? target : second, property),
  })
}
