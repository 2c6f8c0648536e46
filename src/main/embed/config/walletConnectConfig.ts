/** A host's options for wallets reached over WalletConnect: link mode, the verify service, Ethereum's nodes. */
import { isRecord } from '../../../runtime/json/isRecord.ts'
import type { HostChoice } from '../../../events/wire.ts'
import { type ConfigCheck, hasProtocol, known, listOf, present, universal, wrong } from './configChecks.ts'
import { isPointOfP256 } from './p256.ts'

/** All options are off by default. */
export type WalletConnectConfig = {
  /**
   * This page's own link, by which wallets on the same device send messages without a relay; the host passes them to
   * `receiveLink`.
   */
  universalLink?: string
  /** Links of wallets known to accept messages by theirs; others are learned when they send one. */
  linkModeApps?: string[]
  /**
   * The verify service, without a version. A hidden frame fetches its attestation of a message, so the host's `frame-src`
   * allows it.
   */
  verifyUrl?: string
  /**
   * Its public key, a point of P-256 in base64url. Without it the key is fetched from the service at the first attestation.
   */
  verifyKey?: { x: string; y: string }
  /** JSON-RPC addresses by chain, as in `eip155:1`: where a contract wallet's signature is checked. */
  evmRpcUrls?: Record<string, string>
}

const mostApps = 100
const mostChains = 100

const checks: Record<keyof WalletConnectConfig, ConfigCheck> = {
  universalLink: universal,
  linkModeApps: listOf(universal, mostApps),
  verifyUrl: universal,
  verifyKey: publicKey,
  evmRpcUrls: rpcUrls,
}

/** @throws Fault `bad_input` naming the key; the first one found */
export function walletConnectCheck(value: unknown, key: string): void {
  known(value, key, checks)
  const config = value as WalletConnectConfig
  if (config.linkModeApps !== undefined) present(config, 'universalLink', `${key}.universalLink`)
}

/** @returns a checked config, copied, in the core's terms */
export function walletConnectChoice(
  config: WalletConnectConfig = {},
): Pick<HostChoice, 'links' | 'verifyUrl' | 'verifyKey' | 'evmRpcUrls'> {
  const { universalLink, linkModeApps = [], verifyUrl, verifyKey, evmRpcUrls } = config
  return {
    ...(universalLink !== undefined && { links: { universal: universalLink, apps: [...linkModeApps] } }),
    // The core appends a path
    ...(verifyUrl !== undefined && { verifyUrl: verifyUrl.replace(/\/+$/, '') }),
    ...(verifyKey && { verifyKey: { x: verifyKey.x, y: verifyKey.y } }),
    ...(evmRpcUrls && {
      evmRpcUrls: Object.fromEntries(Object.entries(evmRpcUrls).filter(([, url]) => url !== undefined)),
    }),
  }
}

function publicKey(value: unknown, key: string): void {
  known(value, key, { x: coordinate, y: coordinate })
  for (const name of ['x', 'y']) present(value as object, name, `${key}.${name}`)
  const { x, y } = value as { x: string; y: string }
  if (!isPointOfP256(x, y)) throw wrong(key, 'x and y of a point on the curve P-256', value)
}

function coordinate(value: unknown, key: string): void {
  if (typeof value !== 'string' || !/^[\w-]{42}[AEIMQUYcgkosw048]$/.test(value))
    throw wrong(key, '32 bytes as 43 characters of base64url', value)
}

function rpcUrls(value: unknown, key: string): void {
  if (!isRecord(value)) throw wrong(key, 'an object', value)
  const entries = Object.entries(value)
  if (entries.length > mostChains) throw wrong(key, `at most ${mostChains} chains`, entries.length)
  for (const [chain, url] of entries) {
    // The chain's name is not quoted either: it may be an address in the wrong place
    if (!/^eip155:[1-9]\d{0,31}$/.test(chain)) throw wrong(key, 'chains as in eip155:1 for keys', chain)
    if (url !== undefined) nodeUrl(url, `${key}.${chain}`)
  }
}

/** Checks a node's address: https, or http on this device. Browsers refuse to fetch an address with a user in it. */
function nodeUrl(value: unknown, key: string): void {
  const isSafe =
    hasProtocol(value, ['https:']) || (hasProtocol(value, ['http:']) && isThisDevice(new URL(value as string)))
  if (!isSafe || new URL(value as string).username !== '' || new URL(value as string).password !== '')
    throw wrong(key, 'an address that begins with https: and has no user', value)
}

function isThisDevice({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
