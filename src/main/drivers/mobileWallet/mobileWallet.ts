/**
 * The wallet apps of an Android device as one wallet of the Wallet Standard. Which app answers is Android's matter and the
 * person's. An app's accounts stay in local storage, so that a later visit knows them without opening it, and its token in
 * `keptToken.ts`.
 *
 * 1. One session at a time: a second request waits for the first.
 * 2. An authorisation that the app refuses is forgotten, and the accounts with it.
 * 3. Without its token an app authorises anew, and asks the person.
 */
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { decodeBase58, encodeBase58 } from '../../../events/values/solana/base58.ts'
import { recordOf } from '../../../runtime/json/isRecord.ts'
import type { Device } from '../../../ui/react.tsx'
import { fromBase64 } from '../../../worker/walletconnect/crypto/base64.ts'
import { toBase64 } from '../../../worker/walletconnect/crypto/encoding.ts'
import type { KeptToken } from './keptToken.ts'
import { type AppSession, type SessionPorts, withSession } from './session.ts'

/** The name that other libraries give the same wallet. */
export const mobileWalletName = 'Mobile Wallet Adapter'

type Ports = SessionPorts & {
  device: Device
  /** The page's network by its name in the Wallet Standard. */
  chain(): `solana:${string}`
  identity: { name: string; uri: string }
  kept: KeptToken
}
type Authorisation = { token?: string; addresses: string[] }
type Input = { account?: unknown; transaction?: unknown; message?: unknown; chain?: unknown }
type Account = { address: string; publicKey: Uint8Array; chains: readonly string[]; features: readonly string[] }

const chains = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'] as const
const legacyClusters: Record<string, string> = {
  'solana:mainnet': 'mainnet-beta',
  'solana:devnet': 'devnet',
  'solana:testnet': 'testnet',
}
const signing = ['solana:signAndSendTransaction', 'solana:signTransaction', 'solana:signMessage']
const stored = 'mai.mobileWallet'
const accountLimit = 64
const icon =
  'data:image/gif;base64,R0lGODlhIAAgAIAAACQyQOjp6yH5BAQAAAAALAAAAAAgACAAAAJOhI+py+0Po5y02juD3hjtz13gGGbkSY0eaJYJG32ODMGM3dCze/OLnvMpgD1NTfgiJpHLwM4YUxpwD9XBKjmhUlppdNsBYMPksvmMTqMLADs='

/** Makes the wallet; nothing opens an app before its first request. One function, because all requests share one authorisation. */
export function createMobileWallet(ports: Ports) {
  const { device, chain, identity, kept } = ports
  const listeners = new Set<(change: { accounts: readonly Account[] }) => void>()
  let known = readStored(device.recall(stored))
  let accounts = accountsOf(known)
  let before: Promise<unknown> = Promise.resolve()

  function keep(next: Authorisation | undefined): void {
    const isSame = next?.addresses.join() === known?.addresses.join()
    known = next
    device.remember(stored, next && JSON.stringify({ addresses: next.addresses }))
    void kept.keep(next?.token)
    if (isSame) return
    accounts = accountsOf(next)
    for (const listener of listeners) listener({ accounts })
  }

  async function authorise(session: AppSession, token?: string): Promise<Authorisation> {
    const name = chain()
    const where = session.isLegacy ? { cluster: legacyClusters[name] } : { chain: name }
    const again = token === undefined ? {} : { auth_token: token }
    const method = session.isLegacy && token !== undefined ? 'reauthorize' : 'authorize'
    return readAuthorisation(await session.call(method, { identity, ...where, ...again }))
  }

  /** Opens the app and runs the task, after those before it. */
  function inTurn<T>(task: (session: AppSession) => Promise<T>): Promise<T> {
    const turn = before.then(() => withSession(ports, task))
    before = turn.catch(() => undefined)
    return turn
  }

  /** The same with the accounts of before authorised anew. */
  function asBefore<T>(inputs: readonly Input[], task: (session: AppSession) => Promise<T>): Promise<T> {
    return inTurn(async session => {
      const asked = inputs.map(input => String(recordOf(input.account).address))
      if (!known) throw new Fault('unauthorized', `${mobileWalletName} expected to be connected first`)
      const token = known.token ?? (await kept.recall())
      const next = await authorise(session, token).catch((cause: unknown) => {
        if ((cause as { code?: unknown }).code === 4001) keep(undefined)
        throw cause
      })
      keep(next)
      if (!asked.every(address => next.addresses.includes(address)))
        throw new Fault('account_changed', `${mobileWalletName} does not list the account the request is for`)
      return task(session)
    })
  }

  // An earlier version kept the token beside the accounts
  if (known?.token !== undefined) keep(known)

  async function connect({ silent = false }: { silent?: boolean } = {}) {
    if (!silent) keep(await inTurn(session => authorise(session)))
    return { accounts }
  }

  async function signTransaction(...inputs: Input[]) {
    const payloads = inputs.map(({ transaction }) => toBase64(transaction as Uint8Array))
    const answer = await asBefore(inputs, session => session.call('sign_transactions', { payloads }))
    return bytesIn(answer, 'signed_payloads', inputs).map(signedTransaction => ({ signedTransaction }))
  }

  async function signAndSendTransaction(...inputs: Input[]) {
    const payloads = inputs.map(({ transaction }) => toBase64(transaction as Uint8Array))
    const options = { commitment: 'confirmed' }
    const answer = await asBefore(inputs, session => session.call('sign_and_send_transactions', { payloads, options }))
    return bytesIn(answer, 'signatures', inputs).map(signature => ({ signature }))
  }

  async function signMessage(...inputs: Input[]) {
    const payloads = inputs.map(({ message }) => toBase64(message as Uint8Array))
    const addresses = inputs.map(({ account }) => toBase64(recordOf(account).publicKey as Uint8Array))
    const answer = await asBefore(inputs, session => session.call('sign_messages', { addresses, payloads }))
    return bytesIn(answer, 'signed_payloads', inputs).map(signed => ({
      signedMessage: signed.slice(0, -64),
      signature: signed.slice(-64),
    }))
  }

  return Object.freeze({
    version: '1.0.0',
    name: mobileWalletName,
    icon,
    chains,
    get accounts() {
      return accounts
    },
    features: Object.freeze({
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => keep(undefined) },
      'standard:events': {
        version: '1.0.0',
        on(_event: 'change', listener: (change: { accounts: readonly Account[] }) => void) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions: ['legacy', 0], signTransaction },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signAndSendTransaction,
      },
      'solana:signMessage': { version: '1.0.0', signMessage },
    }),
  })
}

function accountsOf(known: Authorisation | undefined): readonly Account[] {
  return (known?.addresses ?? []).map(address => {
    const publicKey = decodeBase58(address) ?? new Uint8Array()
    return Object.freeze({ address, publicKey, chains, features: signing })
  })
}

/** @throws Fault `bad_response` when the answer has no token or no account */
function readAuthorisation(answer: Record<string, unknown>): Authorisation {
  const { auth_token: token, accounts } = answer
  const listed = Array.isArray(accounts) ? accounts.slice(0, accountLimit) : []
  const addresses = listed.flatMap(one => {
    const key = bytesOf(recordOf(one).address)
    return key?.length === 32 ? [encodeBase58(key)] : []
  })
  if (typeof token !== 'string' || token === '' || addresses.length === 0)
    throw new Fault('bad_response', `${mobileWalletName} expected to share an account, shared none`)
  return { token, addresses }
}

function readStored(text: string | undefined): Authorisation | undefined {
  try {
    const { token, addresses } = recordOf(JSON.parse(text ?? ''))
    if (!Array.isArray(addresses)) return undefined
    const known = addresses.filter(isSolanaAddress).slice(0, accountLimit)
    return { addresses: known, ...(typeof token === 'string' && { token }) }
  } catch {
    return undefined
  }
}

/** @throws Fault `bad_response` unless there are bytes for each input */
function bytesIn(answer: Record<string, unknown>, key: string, inputs: readonly Input[]): Uint8Array[] {
  const listed = answer[key]
  const found = Array.isArray(listed) ? listed.flatMap(one => bytesOf(one) ?? []) : []
  if (found.length === inputs.length) return found
  throw new Fault('bad_response', `${mobileWalletName} expected to answer with ${inputs.length} ${key}, it did not`)
}

/** @returns the bytes of base64 text; undefined for anything else */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length > 8192) return undefined
  try {
    return fromBase64(value)
  } catch {
    return undefined
  }
}
