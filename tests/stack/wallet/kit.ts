import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { answerRequest } from './answers.ts'
import { createWalletChain } from './chain.ts'
import { approveEthereum, createEthereumAccount } from './ethereum.ts'
import { type KitStorage, memoryStorage } from './memoryStorage.ts'
import { approveSolana } from './namespaces.ts'
import { createSigner, type Manner, signerFromWord } from './signer.ts'
import { bringVerifyNear } from './verifyNear.ts'

/** Decisions of the wallet; may change at any moment. */
export type KitPolicy = {
  session: 'approve' | 'decline' | 'silent'
  /** `alter` returns another amount, `other` signs with another account, `empty` answers an error without a message. */
  request: 'approve' | 'decline' | 'silent' | 'alter' | 'other' | 'empty'
  /** Methods the wallet offers; all when absent. */
  methods?: string[]
  /** Overrides the approval; default all requested of Solana. */
  approve?: (proposed: WalletKitTypes.SessionProposal['params']) => Approval
  /** Error code of a declined request; default 5000. */
  declineCode?: 5000 | 4001
  /** Answers for families and methods the wallet lacks; may throw an error with a `code`. */
  answer?: (asked: { method: string; params: unknown; chainId: string }) => unknown
}

/** Params of an approval. */
export type Approval = Omit<Parameters<InstanceType<typeof WalletKit>['approveSession']>[0], 'id'>

/** The kit's validation of a message's origin. */
export type Verified = { origin: string; validation: 'UNKNOWN' | 'VALID' | 'INVALID'; isScam?: boolean }

type SessionEvent = { topic: string; params: { event: { name: string; data: unknown }; chainId: string } }

/** One event of the wallet, in order of arrival. */
export type KitEvent =
  | { type: 'proposal'; id: number; name: string; url: string; chains: string[]; methods: string[]; verified: Verified }
  | { type: 'settled'; topic: string }
  | {
      type: 'request'
      id: number
      topic: string
      method: string
      params: unknown
      chainId: string
      verified: Verified
    }
  | { type: 'answered'; id: number; ok: boolean }
  | { type: 'deleted'; topic: string }
  | { type: 'pinged'; topic: string }
  | { type: 'extended'; topic: string }
  | { type: 'told'; topic: string; name: string; data: unknown; chainId: string }
  | { type: 'failed'; what: string; message: string }

/** The official wallet kit, headless. */
export type KitWallet = {
  address: string
  /** its Ethereum address, when it has that account */
  ethereum: string | undefined
  policy: KitPolicy
  events: KitEvent[]
  /** Takes a `wc:` URI; resolves when the wallet waits for the proposal. */
  pair(uri: string): Promise<void>
  /** The first unread event of a type; waits for one if there is none. */
  next<T extends KitEvent['type']>(type: T): Promise<Extract<KitEvent, { type: T }>>
  /** Answers pending requests by the current policy. */
  answerOpen(): Promise<void>
  /** The wallet's client id on the relay. */
  clientId(): Promise<string>
  /** Topics of open sessions. */
  sessions(): string[]
  disconnect(topic: string): Promise<void>
  ping(topic: string): Promise<void>
  /** Changes the session's accounts to these addresses on each of its chains. */
  changeAccounts(topic: string, addresses: string[]): Promise<void>
  /** Updates the session's namespaces. @returns the dapp's error; undefined if it accepted */
  update(topic: string, namespaces: Approval['namespaces']): Promise<unknown>
  /** The wallet's own copy of a session. */
  session(topic: string): { namespaces: Approval['namespaces']; expiry: number }
  extend(topic: string): Promise<void>
  emit(topic: string, event: { name: string; data: unknown; chainId: string }): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the official wallet kit in Node with in-memory storage. Requests left pending earlier are received again.
 *
 * @param options.secretKey 32 or 64 bytes
 * @param options.rpcUrl Solana JSON-RPC address; used by sign-and-send only
 */
export async function startKitWallet(options: {
  relayUrl: string
  projectId: string
  secretKey: Uint8Array
  rpcUrl: string
  /** the stack's verify service; without it the kit validates no origin */
  verifyUrl?: string
  /** 32 bytes; with it the wallet has an Ethereum account, too */
  ethereumKey?: Uint8Array
  policy?: Partial<KitPolicy>
  /** Preserves sessions over a restart with the same storage. */
  storage?: KitStorage
}): Promise<KitWallet> {
  const signer = createSigner(options.secretKey)
  const other = signerFromWord(`other account of ${signer.address}`)
  const ethereum = options.ethereumKey && createEthereumAccount(options.ethereumKey)
  const chain = createWalletChain(options.rpcUrl)
  const policy: KitPolicy = { session: 'approve', request: 'approve', ...options.policy }
  const storage = options.storage ?? memoryStorage()
  const core = new Core({
    projectId: options.projectId,
    relayUrl: options.relayUrl,
    storage,
    customStoragePrefix: storage.prefix,
    logger: 'silent',
    telemetryEnabled: false,
  })
  bringVerifyNear(core, options.verifyUrl)
  const metadata = {
    name: 'Kit wallet',
    description: 'The official wallet kit, headless',
    url: 'http://127.0.0.1',
    icons: [],
  }
  const kit = await WalletKit.init({ core: core as unknown as WalletKitTypes.Options['core'], metadata })

  const events: KitEvent[] = []
  const unread: KitEvent[] = []
  const waiting: { type: string; resolve: (event: never) => void }[] = []
  const tell = (event: KitEvent): void => {
    events.push(event)
    const at = waiting.findIndex(({ type }) => type === event.type)
    if (at >= 0) waiting.splice(at, 1)[0]?.resolve(event as never)
    else unread.push(event)
  }
  const attempt = (what: string, work: () => Promise<void>): void => {
    work().catch(error =>
      tell({ type: 'failed', what, message: error instanceof Error ? error.message : String(error) }),
    )
  }

  const onProposal = async ({ id, params, verifyContext }: WalletKitTypes.SessionProposal): Promise<void> => {
    const proposed = [params.requiredNamespaces, params.optionalNamespaces]
    const { name, url } = params.proposer.metadata
    const asked = proposed.map(one => one['solana']).filter(one => one !== undefined)
    const chains = asked.flatMap(one => one.chains ?? [])
    tell({
      type: 'proposal',
      id,
      name,
      url,
      chains,
      methods: asked.flatMap(one => one.methods),
      verified: verifiedIn(verifyContext),
    })
    if (policy.session === 'silent') return
    const methods = policy.methods ? { methods: policy.methods } : {}
    const namespaces = {
      ...approveSolana(proposed, { address: signer.address, ...methods }),
      ...(ethereum && approveEthereum(proposed, { address: ethereum.address, methods: policy.methods })),
    }
    if (policy.session === 'decline')
      return kit.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } })
    if (policy.approve) {
      const { topic } = await kit.approveSession({ id, ...policy.approve(params) })
      return tell({ type: 'settled', topic })
    }
    if (Object.keys(namespaces).length === 0)
      return kit.rejectSession({ id, reason: { code: 5100, message: 'Unsupported chains.' } })
    const { topic } = await kit.approveSession({ id, namespaces })
    tell({ type: 'settled', topic })
  }
  const onRequest = async ({ id, topic, params, verifyContext }: WalletKitTypes.SessionRequest): Promise<void> => {
    const { request, chainId } = params
    const verified = verifiedIn(verifyContext)
    tell({ type: 'request', id, topic, method: request.method, params: request.params, chainId, verified })
    if (policy.request === 'silent') return
    const refuse = (code: number, message: string) =>
      kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', error: { code, message } } })
    if (policy.request === 'decline') {
      const code = policy.declineCode ?? 5000
      await refuse(code, code === 4001 ? 'User rejected the request.' : 'User rejected.')
      return tell({ type: 'answered', id, ok: false })
    }
    if (policy.request === 'empty') {
      // The kit's own answer to a request that fails its checks
      await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', error: {} as never } })
      return tell({ type: 'answered', id, ok: false })
    }
    const manner: Manner = policy.request === 'approve' ? 'plain' : policy.request
    try {
      const isEthereum = ethereum && chainId.startsWith('eip155:')
      const result = policy.answer
        ? policy.answer({ method: request.method, params: request.params as unknown, chainId })
        : isEthereum
          ? ethereum.answer(request)
          : await answerRequest(request, { accounts: [signer, other], chain, manner })
      await kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', result } })
      tell({ type: 'answered', id, ok: true })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? Number(error.code) : -32000
      await refuse(code, error instanceof Error ? error.message : String(error))
      tell({ type: 'answered', id, ok: false })
    }
  }
  kit.on('session_proposal', event => attempt('proposal', () => onProposal(event)))
  kit.on('session_request', event => attempt('request', () => onRequest(event)))
  kit.on('session_delete', ({ topic }) => tell({ type: 'deleted', topic }))
  // The kit does not forward these
  const { events: heard } = kit.engine.signClient
  heard.on('session_ping', ({ topic }: { topic: string }) => tell({ type: 'pinged', topic }))
  heard.on('session_extend', ({ topic }: { topic: string }) => tell({ type: 'extended', topic }))
  heard.on('session_event', ({ topic, params: { event, chainId } }: SessionEvent) =>
    tell({ type: 'told', topic, name: event.name, data: event.data, chainId }),
  )
  for (const pending of kit.getPendingSessionRequests()) {
    attempt('request', () => onRequest(pending as WalletKitTypes.SessionRequest))
  }

  const sessionOf = (topic: string) => {
    const session = kit.getActiveSessions()[topic]
    if (!session) throw new Error(`the wallet has no session on ${topic}`)
    return session
  }
  return {
    address: signer.address,
    ethereum: ethereum?.address,
    policy,
    events,
    pair: async uri => {
      await kit.pair({ uri })
    },
    next: <T extends KitEvent['type']>(type: T) => {
      const at = unread.findIndex(event => event.type === type)
      if (at >= 0) return Promise.resolve(unread.splice(at, 1)[0] as Extract<KitEvent, { type: T }>)
      return new Promise<Extract<KitEvent, { type: T }>>(resolve => waiting.push({ type, resolve }))
    },
    answerOpen: async () => {
      for (const pending of kit.getPendingSessionRequests()) await onRequest(pending as WalletKitTypes.SessionRequest)
    },
    clientId: () => core.crypto.getClientId(),
    sessions: () => Object.keys(kit.getActiveSessions()),
    disconnect: topic => kit.disconnectSession({ topic, reason: { code: 6000, message: 'User disconnected.' } }),
    ping: topic => kit.engine.signClient.ping({ topic }),
    changeAccounts: async (topic, addresses) => {
      const namespaces = structuredClone(sessionOf(topic).namespaces)
      for (const namespace of Object.values(namespaces)) {
        namespace.accounts = (namespace.chains ?? []).flatMap(chainId =>
          addresses.map(address => `${chainId}:${address}`),
        )
      }
      await (await kit.updateSession({ topic, namespaces })).acknowledged()
    },
    update: async (topic, namespaces) => {
      const { acknowledged } = await kit.updateSession({ topic, namespaces })
      return acknowledged().then(
        () => undefined,
        (error: unknown) => error,
      )
    },
    session: sessionOf,
    extend: async topic => {
      await (await kit.extendSession({ topic })).acknowledged()
    },
    emit: (topic, { name, data, chainId }) => kit.emitSessionEvent({ topic, event: { name, data }, chainId }),
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

function verifiedIn(context: WalletKitTypes.SessionRequest['verifyContext'] | undefined): Verified {
  const { origin = '', validation = 'UNKNOWN', isScam } = context?.verified ?? {}
  return { origin, validation, ...(isScam !== undefined && { isScam }) }
}
