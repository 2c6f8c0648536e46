/**
 * All effects, with their data. Each comment names the input that answers (its record's `to` names the effect). `effect.failed`
 * may answer any effect. `…Ref` names bytes, which drivers hold.
 */
import type { DataOf } from '../runtime/schema/registry.ts'
import type { inputDefinitions } from './input.ts'
import type { WaitingEvent } from './subjects/service/analytics.ts'
import type { TimerId } from './values/reference.ts'
import type { AuthAsk } from './subjects/wallet/authFacts.ts'
import type { Terms } from './sale/terms/terms.ts'
import type { ShownBooks } from './subjects/sale/ledger.ts'
import type { Warning } from './subjects/order/orderFacts.ts'
import type { ServiceAsk } from './subjects/service/service.ts'

/** An outgoing WalletConnect payload. Timestamps in seconds, ids in decimal text. */
export type OutgoingPayload =
  | {
      method: 'wc_sessionPropose'
      id: string
      publicKey: string
      expiryTimestamp: number
      optionalNamespaces: Readonly<
        Record<
          string,
          {
            readonly chains?: readonly string[]
            readonly methods: readonly string[]
            readonly events: readonly string[]
          }
        >
      >
      metadata: OwnMetadata
      sessionProperties?: Record<string, string>
      /** JSON text by key */
      scopedProperties?: Record<string, string>
    }
  | { method: 'wc_sessionPing' | 'wc_sessionExtend' | 'wc_pairingPing'; id: string }
  /** `data` is JSON text */
  | { method: 'wc_sessionEvent'; id: string; chainId: string; event: string; data: string }
  | {
      method: 'wc_sessionAuthenticate'
      id: string
      publicKey: string
      metadata: OwnMetadata
      asked: AuthAsk
      /** ms */
      issuedAt: number
      expiryTimestamp: number
    }
  | { method: 'wc_sessionDelete'; id: string; code: number; message: string }
  | {
      method: 'wc_sessionRequest'
      id: string
      chainId: string
      expiryTimestamp: number
      request:
        | { method: 'solana_signTransaction' | 'solana_signAndSendTransaction'; bytesRef: string; pubkey: string }
        /** of a page: params are JSON text */
        | { method: string; params: string }
    }
  | { result: true; id: string }
  | { error: { code: number; message: string }; id: string }

/** This page's metadata. */
type OwnMetadata = {
  name: string
  description: string
  url: string
  icons: string[]
  redirect?: { universal: string; linkMode: true }
}

/** An installed wallet as a connection knows it; connections older than the field have no identity. */
export type ConnectedWallet = { name: string; identity?: string }

export type EffectData = {
  /** → `timer.fired` */
  'timer.set': { timerId: TimerId; at: number }
  'timer.clear': { timerId: TimerId }

  /** → `relay.opened` or `relay.closed`; opens one socket with a fresh JWT. */
  'relay.open': { url: string; projectId: string }
  'relay.close': Record<string, never>
  /** → `relay.taken` or `relay.failed` with this callId. At most 500 topics a call; one for a relay that accepts no more. */
  'relay.subscribe': { callId: string; topics: string[]; oneByOne?: true }
  /** → messages waiting on these topics, then `relay.fetched`; or `relay.failed`. At most 500 topics, or one. */
  'relay.fetch': { callId: string; topics: string[]; oneByOne?: true }
  /** → `relay.taken` or `relay.failed` */
  'relay.unsubscribe': { callId: string; topic: string }
  /** → `relay.taken` or `relay.failed`; the vault holds the sealed bytes */
  'relay.publish': { callId: string; topic: string; messageRef: string; ttl: number; tag: number; prompt: boolean }
  /** → `relay.taken` or `relay.failed` */
  'relay.propose': { callId: string; pairingTopic: string; messageRef: string; ttl: number; correlationId: string }
  /** Acknowledges a stored message to the relay. */
  'relay.acknowledge': { pushId: string }

  /** → `vault.pairingMade`: a symmetric key and topic for the code, an X25519 key pair for the proposal */
  'vault.makePairing': { attemptId: string; expiresAt: number }
  /** → `vault.authMade`: a pairing for one-click auth, and a topic of its own for the answer, which the key pair opens */
  'vault.makeAuth': { authId: string; expiresAt: number }
  /** → `auth.contractAsked`: queries the contract that is said to hold the account; `cacao` as in the fact */
  'auth.askContract': { authId: string; place: number; chain: string; cacao: string }
  /** → `vault.sessionDerived`: stores the session's key under its topic; `pairingTopic` names the entry with our key pair */
  'vault.deriveSession': { pairingTopic: string; publicKey: string; responderKey: string }
  /**
   * → `vault.sealed`: seals the payload for the topic and holds the bytes under `messageRef`; for a link, `plain` is not sealed
   */
  'vault.seal': { callId: string; topic: string; payload: OutgoingPayload; way?: 'link' | 'plain' }
  /** Deletes the keys of these topics and the sealed bytes of these refs. */
  'vault.forget': { topics: string[]; refs: string[] }

  /**
   * → `http.answered` or `http.failed`: one request with these calls to one endpoint of the pool, their `attempt` counted from
   * 0; without calls, for the endpoint's genesis hash
   */
  'http.post': { pool: string; endpoint: number; calls: number[]; attempt: number; timeoutMs: number }
  /** → `http.answered` or `http.failed`: one attempt of a request */
  'http.send': { requestId: number; timeoutMs: number }
  /**
   * Ends calls by the outcomes of this `attempt`, or by a failure without one; `same` end like others of these
   * calls.
   */
  'rpc.settle': { calls: number[]; same?: { call: number; as: number }[] } & SettledBy
  /** Ends a request by its last attempt, or by a failure without one. */
  'http.settle': { requestId: number; failure?: SettledFailure }

  /**
   * → `node.heard`, any number of times: makes these subscriptions at the endpoint, and ends others. A new number is a new socket
   * in place of the one before; without subscriptions there is none.
   */
  'node.listen': { socket: number; endpoint: number; to: NodeSubscription[] }

  /** → `directory.read` or `directory.failed`; `bundled`: from the wallets that came with this build */
  'directory.read': {
    page: number
    entries: number
    search: string
    include: string[]
    exclude: string[]
    certified?: true
    bundled?: true
  }

  /** → `service.answered` or `service.refused`: a call of the Blockchain API */
  'service.call': { ask: ServiceAsk }
  /** → `project.read` or `project.failed` */
  'project.read': Record<string, never>
  /** → `project.origins` */
  'project.readOrigins': Record<string, never>
  /**
   * → `pulse.sent`; in order, until the first failure. `genesisHash` names the network; `atOnce`: the page goes, all in one
   * request
   */
  'pulse.send': { events: WaitingEvent[]; genesisHash: string; atOnce?: true }
  /** → `pulse.switched`: whether the project's configuration has analytics on */
  'pulse.readSwitch': Record<string, never>

  /** Page. → `wallet.connected` or `wallet.failed`; `silent` never opens a prompt, and finds the wallet by name and identity */
  'wallet.connect': { walletKey: string; silent: boolean } & ConnectedWallet
  'wallet.disconnect': ConnectedWallet
  /** Page. Listens for account changes of a connected wallet → `wallet.changed` whenever it happens */
  'wallet.watch': { connectionId: string; account: string } & ConnectedWallet
  /** Page. → `wallet.signed` or `wallet.failed` */
  'wallet.signTransaction': { account: string; bytesRef: string; genesisHash: string } & ConnectedWallet
  /** Page. → `wallet.sent` or `wallet.failed` */
  'wallet.signAndSendTransaction': { account: string; bytesRef: string; genesisHash: string } & ConnectedWallet

  /** Page. → `link.opened` or `link.skipped`; opens the wallet in which a request waits, once for each request */
  'link.open': { link: string; requestId: string; sessionTopic: string }
  /**
   * Page. → `link.opened` or `link.skipped`; for the page the worker adds `url`, which holds the sealed message, and the
   * message's id as `requestId`
   */
  'link.send': {
    callId: string
    topic: string
    messageRef: string
    universal: string
    url?: string
    requestId?: string
  }

  /** Page. → `attest.got`; fetches the verify service's attestation of a message. The worker adds `url` for the page */
  'attest.get': { messageRef: string; url?: string }

  /** → `chain.identified` */
  'chain.identify': Record<string, never>
  /** → `chain.terms`: fetches the file, checks its form and rules */
  'chain.readTerms': Record<string, never>
  /** → `chain.notices`: the authority's notices and the newest checkpoint, with signatures and hashes checked */
  'chain.readNotices': { noticeRef: string; authority: string; presaleRef: string; termsHash: string }
  /** → `sale.legal`: the document people agree to, if its hash is that of the terms */
  'sale.readLegal': { url: string; sha256: string }
  /** → `sale.access`: whether the account is on the sale's access list, if the list's hash is that of the terms */
  'sale.readAccess': { account: string; url: string; sha256: string }
  /** → `sale.content`: what is published for display beside the terms */
  'sale.readContent': Record<string, never>
  /** → `chain.mint`: the mint and freeze authorities of the token on sale */
  'chain.readMint': { mint: string; program: 'spl-token' | 'token-2022' }
  /** → `chain.feed`: the newest payments as a node lists them, in one call; `now`: chain time, ms, if known */
  'chain.readFeed': { presaleRef: string; terms: Terms; now?: number }
  /** → `chain.sale`: Clock and the treasury's accounts in one call; `backend` where the terms name one */
  'chain.readSale': { treasury: string; assets: { symbol: string; mint?: string }[]; backend?: string }
  /** → `chain.balances`; `tokens`: with the tokens that the account holds, this mint among them */
  'chain.readBalances': { account: string; assets: { symbol: string; mint?: string }[]; tokens?: true; mint?: string }
  /**
   * → `chain.orderPrepared`: builds, simulates, sets the compute limit, holds the bytes. `guard`: the transaction asserts that the
   * treasury stays below the cap; the highest position that these balances can stand for, in credits
   */
  'chain.prepareOrder': {
    orderId: string
    order: OrderToBuild
    terms: Terms
    guard?: { mostPos: string; balances: Record<string, string> }
  }
  /** → `chain.sendPrepared`: checks the recipient and the token, builds, simulates, holds the bytes */
  'chain.prepareSend': { orderId: string; send: SendToBuild }
  /** → `wallet.signed`: puts a wallet's bare signature into the bytes it was to sign */
  'chain.insertSignature': { orderId: string; bytesRef: string; account: string; signature: string }
  /** → `chain.submitted`; sends the signed bytes once, `first` with preflight */
  'chain.submit': { orderId: string; bytesRef: string; first: boolean }
  /** → `chain.status`; `search` looks under the order's reference, too */
  'chain.watch': OrderToWatch
  /**
   * → `chain.purchases`; `known` signatures are final and not read again. With `plans`, hashes of the announced ones: what they
   * paid to the account, too
   */
  'chain.readPurchases': {
    account: string
    presaleRef: string
    terms: Terms
    known: string[]
    plans?: readonly string[]
  }
  /**
   * → `chain.invoice`; about the invoice. Looks under its reference key for its payment and those of the earlier invoices with this
   * key. `codes`: newest first, the one it is about before them; `signature`: of the payment known so far; `mayBeDropped`: so old
   * that a node may no longer have the payment in its history
   */
  'chain.watchInvoice': {
    presaleRef: string
    orderKey: string
    terms: Terms
    codes: readonly {
      invoiceId: string
      asset: string
      units: string
      quoted: string
      termsHash: string
      signature?: string
    }[]
    mayBeDropped?: true
  }
  /**
   * → `ledger.computing` any number of times, then `ledger.found`: recomputes the sale's books from the chain. `versions`: hashes of
   * the announced terms that are known, in their order; `accounts`: those whose own rows are wanted; `shown`: the operator's figures
   * that are on show, which are compared; `fresh`: from the beginning, whatever was kept
   */
  'ledger.compute': {
    terms: Terms
    termsHash: string
    versions: string[]
    accounts: string[]
    shown?: ShownBooks
    fresh?: true
  }
  /** Pauses, resumes or stops that; the stopped one fails with `elsewhere`. */
  'ledger.steer': { act: 'pause' | 'resume' | 'stop' }
  /** The RPC serves another chain than this log's: restart with that chain's log. */
  'core.relocate': { genesisHash: string }
  /**
   * Remembers the chosen network (CAIP-2) and the connections that go there, and restarts with its log; without `caip2` with
   * the page's own.
   */
  'core.switchNetwork': { caip2?: string; entering: Entering }
  /** Deletes the bytes of transactions. */
  'bytes.forget': { refs: string[] }
}

/** Connections that go along to another network. */
export type Entering = DataOf<(typeof inputDefinitions)['network.entered']['fields']>

export type EffectType = keyof EffectData

/** Why a call or request ends without an attempt that tells. */
export type SettledFailure = {
  code: 'rate_limited' | 'unreachable' | 'rpc_lying' | 'core_lost'
  /** pause that the server asked for and that outlasts the caller's deadline */
  retryAfterMs?: number
}
type SettledBy = { attempt: number } | { failure: SettledFailure }

/**
 * Concerns an order: its transaction has reached a level, its account has changed, or the finalised slot is past the one after
 * which its bytes may have expired. `everyMs`: least time between two news of the account, default that of a block.
 */
export type NodeSubscription = { orderId: string } & (
  | { kind: 'signature'; signature: string; level: 'processed' | 'confirmed' | 'finalized' }
  | { kind: 'account'; account: string; everyMs?: number }
  | { kind: 'slot'; after: number }
)

/** Where to look for an order's transaction. */
export type OrderToWatch = {
  orderId: string
  orderRef: string
  account: string
  /** slot of the oldest transaction built under this reference: nothing before it can be one of them */
  fromSlot: number
  search: boolean
  signature?: string
  /** the signature of bytes that were checked and are submitted from here */
  own?: true
  /** signatures that this life has judged: not reported again */
  judged?: string[]
  /** every endpoint gives its own proof that nothing landed */
  proves?: true
  /** each proof tells whether this blockhash may still be used */
  blockhash?: string
}

/** Content of an order's transaction; amounts in base units. */
export type OrderToBuild = {
  orderKey: string
  account: string
  asset: string
  units: string
  quoted: string
  min: string
  termsHash: string
  presaleRef: string
  referrer?: string
}

/** Content of a transfer; `units` in base units, `mint` with its program and the token account that pays. */
export type SendToBuild = {
  orderKey: string
  account: string
  to: string
  units: string
  decimals: number
  mint?: string
  program?: string
  source?: string
  /** oddities that the person confirmed */
  confirmed: readonly Warning[]
  /** whom the account paid before: an address that looks like one of these is odd */
  recent: readonly string[]
  /** the chain that the transfer is for */
  genesisHash: string
  /** the fee that the person has seen, lamports: no later transaction costs more */
  mostFee?: string
}

/** Effects a page carries out, because only a page can reach the wallet. */
export type PageEffectType =
  | 'wallet.connect'
  | 'wallet.disconnect'
  | 'wallet.watch'
  | 'wallet.signTransaction'
  | 'wallet.signAndSendTransaction'
  | 'link.open'
  | 'link.send'
  | 'attest.get'
export const pageEffectTypes: ReadonlySet<EffectType> = /* @__PURE__ */ new Set<EffectType>([
  'wallet.connect',
  'wallet.disconnect',
  'wallet.watch',
  'wallet.signTransaction',
  'wallet.signAndSendTransaction',
  'link.open',
  'link.send',
  'attest.get',
])
