/** Fields that several subjects share. */
import { failureCodes, type Failure } from './failure.ts'
import { choice, type Field, id, integer, list, map, open, optional, personal, shape, text } from './registry.ts'
import * as v from 'valibot'

/** A failure as it is written down. */
export const failure: Field<Failure, false> = /* @__PURE__ */ open(
  v.strictObject({
    code: choice(failureCodes),
    message: text,
    facts: v.exactOptional(v.record(v.string(), v.union([v.string(), v.number()]))),
  }) as unknown as v.GenericSchema<unknown, Failure>,
)

/** A wallet product as the person knows it: `walletId` is the directory's id or the announced name. */
export type WalletRef = { walletId: string; name: string }
export const walletRef: Field<WalletRef, false> = /* @__PURE__ */ shape({ walletId: open(id), name: open(text) })

/** WalletConnect session namespaces. */
export type Namespaces = Record<string, { chains?: string[]; accounts: string[]; methods: string[]; events: string[] }>
export const namespaces: Field<Namespaces, false> = /* @__PURE__ */ map(
  shape({
    chains: optional(list(open(id))),
    accounts: list(personal(text)),
    methods: list(open(text)),
    events: list(open(text)),
  }),
)

/** Who the other side says it is. */
export type Peer = { name: string; url: string; description: string; icons: string[] }
export const peer: Field<Peer, false> = /* @__PURE__ */ shape({
  name: personal(text),
  url: personal(text),
  description: personal(text),
  icons: list(personal(text)),
})

/** A JSON-RPC error as a peer sent it; an empty object becomes code 0. */
export type PeerError = { code: number; message: string }
export const peerError: Field<PeerError, false> = /* @__PURE__ */ shape({ code: open(integer), message: open(text) })
