/**
 * Every order to a driver, with its data. The comment names the input that answers it (its record's `to` names the effect).
 * Any effect may be answered by `effect.failed` instead. Bytes are named by `…Ref`; drivers keep them.
 */
import type { Asked } from './subjects/auth.ts'
import type { Terms } from './sale/terms.ts'

/** What an outgoing WalletConnect payload says. Timestamps in seconds, ids in decimal text. */
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
      asked: Asked
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
        /** a page's own: params are JSON text */
        | { method: string; params: string }
    }
  | { result: true; id: string }
  | { error: { code: number; message: string }; id: string }

/** What this page says of itself. */
type OwnMetadata = {
  name: string
  description: string
  url: string
  icons: string[]
  redirect?: { universal: string; linkMode: true }
}

/** An installed wallet as a connection knows it; one that was made before identities were written down has none. */
export type ConnectedWallet = { name: string; identity?: string }

export type EffectData = {
  /** → `timer.fired` */
  'timer.set': { timerId: string; at: number }
  'timer.clear': { timerId: string }

  /** → `relay.opened` or `relay.closed`; opens one socket, signing a fresh JWT. Urls are tried by `attempt`. */
  'relay.open': { url: string; projectId: string }
  'relay.close': Record<string, never>
  /** → `relay.taken` or `relay.failed` with this callId. At most 500 topics a call; one for a relay that takes no more. */
  'relay.subscribe': { callId: string; topics: string[]; oneByOne?: true }
  /** → messages, then `relay.fetched`, or `relay.failed`: what waits on these topics. At most 500, or one. */
  'relay.fetch': { callId: string; topics: string[]; oneByOne?: true }
  /** → `relay.taken` or `relay.failed` */
  'relay.unsubscribe': { callId: string; topic: string }
  /** → `relay.taken` or `relay.failed`; the sealed bytes are the vault's */
  'relay.publish': { callId: string; topic: string; messageRef: string; ttl: number; tag: number; prompt: boolean }
  /** → `relay.taken` or `relay.failed` */
  'relay.propose': { callId: string; pairingTopic: string; messageRef: string; ttl: number; correlationId: string }
  /** Tells the relay that this message is stored. */
  'relay.acknowledge': { pushId: string }

  /** → `vault.pairingMade`: a symmetric key and topic for the code, an X25519 key pair for the proposal */
  'vault.makePairing': { attemptId: string; expiresAt: number }
  /** → `vault.authMade`: a pairing for one-click auth, and a topic of its own for the answer, which the key pair opens */
  'vault.makeAuth': { authId: string; expiresAt: number }
  /** → `auth.contractAsked`: asks the contract that is said to hold the account; `cacao` as the fact has it */
  'auth.askContract': { authId: string; place: number; chain: string; cacao: string }
  /** → `vault.sessionDerived`: keeps the session's key under its topic; `pairingTopic` names the entry with our key pair */
  'vault.deriveSession': { pairingTopic: string; publicKey: string; responderKey: string }
  /** → `vault.sealed`: seals the payload for the topic and keeps the bytes under `messageRef`; for a link `plain` is not sealed */
  'vault.seal': { callId: string; topic: string; payload: OutgoingPayload; way?: 'link' | 'plain' }
  /** Forgets the keys of these topics and the sealed bytes of these refs. */
  'vault.forget': { topics: string[]; refs: string[] }

  /** → `directory.read` or `directory.failed` */
  'directory.read': {
    page: number
    entries: number
    search: string
    include: string[]
    exclude: string[]
    certified?: true
  }

  /** Page. → `wallet.connected` or `wallet.failed`; `silent` never opens a prompt, and goes by name and identity */
  'wallet.connect': { walletKey: string; silent: boolean } & ConnectedWallet
  'wallet.disconnect': ConnectedWallet
  /** Page. Listens for account changes of a connected wallet → `wallet.changed` whenever it happens */
  'wallet.watch': { connectionId: string; account: string } & ConnectedWallet
  /** Page. → `wallet.signed` or `wallet.failed` */
  'wallet.signTransaction': { account: string; bytesRef: string; genesisHash: string } & ConnectedWallet
  /** Page. → `wallet.sent` or `wallet.failed` */
  'wallet.signAndSendTransaction': { account: string; bytesRef: string; genesisHash: string } & ConnectedWallet

  /** Page. → `link.opened` or `link.skipped`; opens the wallet with a request waiting there, once for each request */
  'link.open': { link: string; requestId: string; sessionTopic: string }
  /** Page. → `link.opened` or `link.skipped`; the worker writes the whole `url` for the page: it holds the sealed message */
  'link.send': { callId: string; topic: string; messageRef: string; universal: string; url?: string }

  /** Page. → `attest.got`; has the verify service witness where a message comes from. The worker writes `url` for the page */
  'attest.get': { messageRef: string; url?: string }

  /** → `chain.identified` */
  'chain.identify': Record<string, never>
  /** → `chain.terms`: fetches the file, checks form and rules */
  'chain.readTerms': Record<string, never>
  /** → `chain.notices`: the authority's notices and the newest checkpoint, signatures and hashes checked */
  'chain.readNotices': { noticeRef: string; authority: string; presaleRef: string; termsHash: string }
  /** → `sale.legal`: the document people agree to, when it has the hash of the terms */
  'sale.readLegal': { url: string; sha256: string }
  /** → `sale.access`: whether the account is on the sale's list, which has the hash of the terms */
  'sale.readAccess': { account: string; url: string; sha256: string }
  /** → `sale.content`: what is published to be shown beside the terms */
  'sale.readContent': Record<string, never>
  /** → `chain.mint`: who may create more of the token on sale, and who may freeze it */
  'chain.readMint': { mint: string; program: 'spl-token' | 'token-2022' }
  /** → `chain.sale`: Clock and the treasury's accounts in one call */
  'chain.readSale': { treasury: string; assets: { symbol: string; mint?: string }[] }
  /** → `chain.balances` */
  'chain.readBalances': { account: string; assets: { symbol: string; mint?: string }[] }
  /** → `chain.orderPrepared`: builds, simulates, sets the compute limit, keeps the bytes */
  'chain.prepareOrder': { orderId: string; order: OrderToBuild; terms: Terms }
  /** → `wallet.signed`: puts a wallet's bare signature into the bytes it was asked to sign */
  'chain.insertSignature': { orderId: string; bytesRef: string; account: string; signature: string }
  /** → `chain.submitted`; sends the signed bytes once, `first` with preflight */
  'chain.submit': { orderId: string; bytesRef: string; first: boolean }
  /** → `chain.status`; with `search` it is looked for under its reference, too */
  'chain.watch': OrderToWatch
  /** → `chain.purchases`; `known` signatures are final already and not read again */
  'chain.readPurchases': { account: string; presaleRef: string; terms: Terms; known: string[] }
  /** The RPC serves another chain than this log belongs to: begin again with that chain's log. */
  'core.relocate': { genesisHash: string }
  /** No build orders it any more: fetched the part of the core that was missing when it began → `core.partCame` */
  'core.bringPart': Record<string, never>
  /** Forgets transactions' bytes. */
  'bytes.forget': { refs: string[] }
}

export type EffectType = keyof EffectData

/** Where an order's transaction is looked for. */
export type OrderToWatch = {
  orderId: string
  orderRef: string
  account: string
  /** slot of the oldest transaction built under this reference: nothing before it can be one of them */
  fromSlot: number
  search: boolean
  signature?: string
  /** the signature is that of bytes which were checked and are sent from here */
  own?: true
  /** signatures whose transactions this life has judged: they are not told again */
  judged?: string[]
  /** every endpoint is asked for its own proof that nothing landed */
  proves?: true
  /** each proof is to tell whether this blockhash may still be used */
  blockhash?: string
}

/** What the transaction must say; amounts in base units. */
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
