/**
 * Reads a wallet's announcement. A wallet is foreign code: each of its properties is read once, inside a guard, into a frozen
 * copy. Only the functions stay live, bound to the objects they were found on.
 * @see https://github.com/wallet-standard/wallet-standard
 */
import { Fault } from '../../../runtime/failure.ts'
import { shortHash } from '../../../runtime/log/shortHash.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import type { AccountLabel, WalletFeature } from '../../../events/schema/fields.ts'
import { cleanText } from '../../../events/values/text/cleanText.ts'
import { pictureAddress } from '../pictures/picture.ts'

/** An account as the wallet gave it, with its own name for it if it has one; `raw` goes back to the wallet untouched. */
export type WalletAccount = { address: string; label?: string; raw: object }

type Call = (...input: unknown[]) => unknown

/** A wallet as this page holds it. */
export type AnnouncedWallet = {
  readonly name: string
  /**
   * A hash of name and picture, the same in every page. A script can copy all that a wallet announces, so it distinguishes only
   * wallets with different pictures. Features are left out, as they change with a wallet's version.
   */
  readonly identity: string
  /** data address of a picture that was read and accepted */
  readonly icon: string | undefined
  /** Solana chains by their Wallet Standard names */
  readonly chains: readonly string[]
  readonly features: readonly WalletFeature[]
  readonly call: {
    readonly connect: Call
    readonly on: Call
    readonly disconnect: Call | undefined
    readonly signTransaction: Call | undefined
    readonly signAndSendTransaction: Call | undefined
    readonly signMessage: Call | undefined
    readonly signIn: Call | undefined
  }
  /** The accounts the wallet lists now; undefined when it gives no list. */
  accounts(): WalletAccount[] | undefined
}

const nameLimit = 64
const listLimit = 64
/** An address of the web, a key, or an address of a chain. */
const notWords = /:\/\/|=|\S{33}/

/**
 * Copies an announcement.
 *
 * @param wallet anything a script registered as a wallet
 * @throws Fault `bad_response` with what is missing or unreadable, without any text of the wallet
 */
export function readAnnouncement(wallet: unknown): AnnouncedWallet {
  const name = cleanName(read(wallet, 'name', 'name'))
  const icon = read(wallet, 'icon', 'icon')
  const chains = solanaChains(read(wallet, 'chains', 'chains'), name)
  const features = read(wallet, 'features', 'features')
  const find = (feature: string, method: string) => callOf(features, feature, method)
  const [connect, on] = [find('standard:connect', 'connect'), find('standard:events', 'on')]
  const signTransaction = find('solana:signTransaction', 'signTransaction')
  const signAndSendTransaction = find('solana:signAndSendTransaction', 'signAndSendTransaction')
  if (!connect || !on) throw refused(`${name} expected standard:connect and standard:events among its features`)
  if (!signTransaction && !signAndSendTransaction)
    throw refused(`${name} expected solana:signTransaction or solana:signAndSendTransaction among its features`)
  const known: WalletFeature[] = []
  if (signTransaction) known.push('signTransaction')
  if (signAndSendTransaction) known.push('signAndSendTransaction')
  const signMessage = find('solana:signMessage', 'signMessage')
  if (signMessage) known.push('signMessage')
  return Object.freeze({
    name,
    identity: identityOf(name, icon),
    icon: pictureAddress(icon),
    chains: Object.freeze(chains),
    features: Object.freeze(known),
    call: Object.freeze({
      connect,
      on,
      disconnect: find('standard:disconnect', 'disconnect'),
      signTransaction,
      signAndSendTransaction,
      signMessage,
      signIn: find('solana:signIn', 'signIn'),
    }),
    accounts: () => accountsIn(wallet),
  })
}

/** @returns the Solana accounts in an object's `accounts`, each once; undefined when there is no readable list */
export function accountsIn(holder: unknown): WalletAccount[] | undefined {
  try {
    const listed = Reflect.get(Object(holder) as object, 'accounts') as unknown
    if (!Array.isArray(listed)) return undefined
    const found: WalletAccount[] = []
    for (let at = 0; at < Math.min(listed.length, listLimit); at += 1) {
      const raw = listed[at] as { address?: unknown; chains?: unknown; label?: unknown } | null
      if (typeof raw !== 'object' || raw === null) continue
      const { address, chains } = raw
      if (!isSolanaAddress(address) || found.some(account => account.address === address)) continue
      if (!Array.isArray(chains) || !chains.some(isSolanaChain)) continue
      const label = labelIn(raw.label)
      found.push({ address, ...(label !== undefined && { label }), raw })
    }
    return found
  } catch {
    return undefined
  }
}

/** @returns a label that is words in one line; an address or a key would stay in the log for good */
function labelIn(label: unknown): string | undefined {
  const clean = typeof label === 'string' ? cleanText(label, nameLimit) : ''
  return clean === '' || notWords.test(clean) ? undefined : clean
}

/** @returns the labels of the accounts that have one, as a field of an answer; without one no field */
export function labelsOf(accounts: readonly WalletAccount[]): { labels?: AccountLabel[] } {
  const labels = accounts.flatMap(({ address, label }) => (label === undefined ? [] : { account: address, label }))
  return labels.length > 0 ? { labels } : {}
}

/** Longest picture text that counts for an identity; pictures that are shown are shorter. */
const longestIcon = 128 * 1024

function identityOf(name: string, icon: unknown): string {
  const picture = typeof icon === 'string' ? `${icon.length} ${icon.slice(0, longestIcon)}` : ''
  return shortHash(name) + shortHash(picture)
}

function refused(message: string): Fault {
  return new Fault('bad_response', `a wallet announcement cannot be used: ${message}`)
}

function read(from: unknown, key: string, what: string): unknown {
  if (typeof from !== 'object' || from === null)
    throw refused(`expected an object with a ${what}, got ${from === null ? 'null' : typeof from}`)
  try {
    return Reflect.get(from, key) as unknown
  } catch {
    throw refused(`reading its ${what} failed`)
  }
}

/** The function behind a feature, bound to the feature it was found on. */
function callOf(features: unknown, feature: string, method: string): Call | undefined {
  const home = read(features, feature, 'table of features')
  if (typeof home !== 'object' || home === null) return undefined
  const found = read(home, method, `feature ${feature}`)
  return typeof found === 'function' ? (...input) => Reflect.apply(found, home, input) as unknown : undefined
}

/** The name without disguising characters. */
function cleanName(name: unknown): string {
  if (typeof name !== 'string') throw refused(`its name expected text, got ${typeof name}`)
  if (name.length > 4 * nameLimit)
    throw refused(`its name expected at most ${nameLimit} characters, got ${name.length}`)
  const clean = cleanText(name, 4 * nameLimit)
  if (clean === '') throw refused('its name is empty')
  if (clean.length > nameLimit) throw refused(`its name expected at most ${nameLimit} characters, got ${clean.length}`)
  // No product has such a name, and an address or a key would stay in the log for good
  if (notWords.test(clean)) throw refused('its name expected words, got an address or a key')
  // The list has its own row of this name, which opens the code
  if (clean.toLowerCase() === 'walletconnect') throw refused('the name WalletConnect is taken')
  return clean
}

function isSolanaChain(chain: unknown): chain is string {
  return typeof chain === 'string' && /^solana:[-\w]{1,32}$/.test(chain)
}

function solanaChains(chains: unknown, name: string): string[] {
  if (!Array.isArray(chains)) throw refused(`${name} expected a list of chains`)
  const found: string[] = []
  try {
    for (let at = 0; at < Math.min(chains.length, listLimit); at += 1) {
      const chain = chains[at] as unknown
      if (isSolanaChain(chain) && !found.includes(chain)) found.push(chain)
    }
  } catch {
    throw refused(`reading the chains of ${name} failed`)
  }
  if (found.length === 0) throw refused(`${name} expected a chain that starts with solana:, has none`)
  return found
}

/** @returns the failure of a wallet without a feature of the Wallet Standard for Solana */
export function lacks(method: string): Fault {
  return new Fault('unsupported', `The wallet does not support the "solana:${method}" feature`)
}

/** The bytes under `key` in one output of a signing feature, copied; undefined for anything else. */
export function bytesOf(output: unknown, key: string): Uint8Array | undefined {
  try {
    if (typeof output !== 'object' || output === null) return undefined
    const found = Reflect.get(output, key) as unknown
    // A wallet may live in another frame, whose Uint8Array is another class
    if (!ArrayBuffer.isView(found) || Object.prototype.toString.call(found) !== '[object Uint8Array]') return undefined
    return new Uint8Array(found as Uint8Array)
  } catch {
    return undefined
  }
}

/** The bytes under `key` in the one output of a signing feature. */
export function outputBytes(outputs: unknown, key: string): Uint8Array | undefined {
  try {
    return Array.isArray(outputs) && outputs.length === 1 ? bytesOf(outputs[0], key) : undefined
  } catch {
    return undefined
  }
}
