import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type KitStorage, memoryStorage } from './memoryStorage.ts'
import { bringVerifyNear } from './verifyNear.ts'

/** Decisions of the wallet; may change at any moment. */
export type AuthPolicy = {
  /** `alter` signs a different nonce, `forge` signs with a different key. */
  auth: 'sign' | 'decline' | 'alter' | 'forge' | 'silent'
  session: 'approve' | 'decline'
}

/** One event of the wallet, in order of arrival. */
export type AuthEvent =
  | { type: 'asked'; id: number; params: WalletKitTypes.SessionAuthenticate['params']; validation: string }
  | { type: 'signed'; topic: string | undefined }
  | { type: 'proposal'; methods: string[]; validation: string }
  | { type: 'settled'; topic: string }
  | { type: 'request'; topic: string; method: string; validation: string }
  | { type: 'deleted'; topic: string }
  | { type: 'failed'; message: string }

/** The official wallet kit with one Ethereum account, headless. */
export type AuthWallet = {
  address: string
  policy: AuthPolicy
  pair(uri: string): Promise<void>
  /** The first unread event of a type; waits for one if there is none. */
  next<T extends AuthEvent['type']>(type: T): Promise<Extract<AuthEvent, { type: T }>>
  sessions(): string[]
  /** The wallet's client id on the relay. */
  clientId(): Promise<string>
  disconnect(topic: string): Promise<void>
  close(): Promise<void>
}

type AuthPayload = WalletKitTypes.SessionAuthenticate['params']['authPayload']

/**
 * Starts the official wallet kit in Node.
 *
 * @param options.knows whether it supports one-click auth; without it the wallet sees the fallback proposal
 * @param options.verifyUrl the stack's verify service; without it the kit validates no origin
 * @param options.redirect its own links
 */
export async function startAuthWallet(options: {
  relayUrl: string
  projectId: string
  secretKey: Uint8Array
  knows?: boolean
  policy?: Partial<AuthPolicy>
  storage?: KitStorage
  verifyUrl?: string
  redirect?: { native?: string; universal?: string; linkMode?: boolean }
}): Promise<AuthWallet> {
  const { relayUrl, projectId, secretKey, knows = true, storage = memoryStorage(), redirect } = options
  const policy: AuthPolicy = { auth: 'sign', session: 'approve', ...options.policy }
  const address = addressOf(secretKey)
  const core = new Core({
    projectId,
    relayUrl,
    storage,
    customStoragePrefix: storage.prefix,
    logger: 'silent',
    telemetryEnabled: false,
  })
  bringVerifyNear(core, options.verifyUrl)
  const kit = await WalletKit.init({
    core: core as unknown as WalletKitTypes.Options['core'],
    metadata: {
      name: 'Auth wallet',
      description: 'The official wallet kit, headless',
      url: 'https://wallet.example',
      icons: [],
      ...(redirect && { redirect }),
    },
  })

  const unread: AuthEvent[] = []
  const waiting: { type: string; resolve: (event: never) => void }[] = []
  const tell = (event: AuthEvent): void => {
    const at = waiting.findIndex(({ type }) => type === event.type)
    if (at >= 0) waiting.splice(at, 1)[0]?.resolve(event as never)
    else unread.push(event)
  }
  const attempt = (work: () => Promise<void>): void => {
    work().catch((error: unknown) =>
      tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
  }

  const signed = (given: AuthPayload, chain: string) => {
    const request = policy.auth === 'alter' ? { ...given, nonce: 'another-nonce' } : given
    const iss = `did:pkh:${chain}:${address}`
    const key = policy.auth === 'forge' ? new Uint8Array(32).fill(1) : secretKey
    const { chains: _, ...p } = request
    const s = personalSign(kit.formatAuthMessage({ request, iss }), key)
    return { h: { t: 'caip122' as const }, p: { ...p, iss }, s: { t: 'eip191' as const, s } }
  }
  const onAuthenticate = async ({ id, params, verifyContext }: WalletKitTypes.SessionAuthenticate): Promise<void> => {
    tell({ type: 'asked', id, params, validation: verifyContext.verified.validation })
    if (policy.auth === 'silent') return
    if (policy.auth === 'decline')
      return kit.rejectSessionAuthenticate({ id, reason: { code: 5000, message: 'User rejected.' } })
    const given = narrowed(params.authPayload)
    const auths = given.chains.map(chain => signed(given, chain))
    const { session } = await kit.approveSessionAuthenticate({ id, auths })
    tell({ type: 'signed', topic: session?.topic })
  }
  const onProposal = async ({ id, params, verifyContext }: WalletKitTypes.SessionProposal): Promise<void> => {
    const asked = params.optionalNamespaces['eip155']
    const { chains = [], methods = [], events = [] } = asked ?? {}
    tell({ type: 'proposal', methods, validation: verifyContext.verified.validation })
    if (policy.session === 'decline')
      return kit.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } })
    const accounts = chains.map(chain => `${chain}:${address}`)
    const { topic } = await kit.approveSession({ id, namespaces: { eip155: { chains, accounts, methods, events } } })
    tell({ type: 'settled', topic })
  }
  const onRequest = async ({ id, topic, params, verifyContext }: WalletKitTypes.SessionRequest): Promise<void> => {
    const { method, params: given } = params.request
    tell({ type: 'request', topic, method, validation: verifyContext.verified.validation })
    const message = Buffer.from(String((given as string[])[0]).slice(2), 'hex').toString()
    const result = personalSign(message, secretKey)
    await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', result } })
  }
  if (knows) kit.on('session_authenticate', event => attempt(() => onAuthenticate(event)))
  kit.on('session_proposal', event => attempt(() => onProposal(event)))
  kit.on('session_request', event => attempt(() => onRequest(event)))
  kit.on('session_delete', ({ topic }) => tell({ type: 'deleted', topic }))

  return {
    address,
    policy,
    pair: async uri => {
      await kit.pair({ uri })
    },
    next: <T extends AuthEvent['type']>(type: T) => {
      const at = unread.findIndex(event => event.type === type)
      if (at >= 0) return Promise.resolve(unread.splice(at, 1)[0] as Extract<AuthEvent, { type: T }>)
      return new Promise<Extract<AuthEvent, { type: T }>>(resolve => waiting.push({ type, resolve }))
    },
    sessions: () => Object.keys(kit.getActiveSessions()),
    clientId: () => core.crypto.getClientId(),
    disconnect: topic => kit.disconnectSession({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
    close: async () => {
      core.heartbeat.stop()
      await core.relayer.transportClose()
      // The official core caches itself on the global object and would return the same instance next time.
      const place = `_walletConnectCore_${storage.prefix}`
      Reflect.deleteProperty(globalThis, place)
      Reflect.deleteProperty(globalThis, `${place}_count`)
    },
  }
}

/** As wallets do: adds the session's chains to the limits of the ReCap. */
function narrowed(given: AuthPayload): AuthPayload {
  const resources = [...(given.resources ?? [])]
  const last = resources.pop()
  if (!last?.startsWith('urn:recap:')) return given
  const recap = JSON.parse(Buffer.from(last.slice('urn:recap:'.length), 'base64').toString())
  for (const ability of Object.keys(recap.att.eip155)) recap.att.eip155[ability] = [{ chains: given.chains }]
  const text = Buffer.from(JSON.stringify(recap)).toString('base64').replace(/=+$/, '')
  return { ...given, resources: [...resources, `urn:recap:${text}`] }
}

function personalHash(message: string): Uint8Array {
  const bytes = new TextEncoder().encode(message)
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]))
}

function personalSign(message: string, secretKey: Uint8Array): string {
  const signed = secp256k1.sign(personalHash(message), secretKey, { prehash: false, format: 'recovered' })
  return `0x${Buffer.from(signed.slice(1)).toString('hex')}${(27 + (signed[0] ?? 0)).toString(16)}`
}

function addressOf(secretKey: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(secp256k1.getPublicKey(secretKey, false).slice(1)).slice(12)).toString('hex')}`
}
