import type { SignInFields } from '../../../src/worker/walletconnect/auth/siwe.ts'
import json from '../../vectors/walletconnect.json'

/** The vectors, typed as far as these tests read them. */
export type Vectors = {
  keyAgreement: {
    privateA: string
    publicA: string
    privateB: string
    publicB: string
    sharedSecret: string
    symKey: string
    topic: string
  }[]
  hashKey: { key: string; topic: string }[]
  hashMessage: { message: string; hash: string }[]
  envelopes: {
    type0: {
      symKey: string
      iv: string
      message: string
      encoded: string
      encodedBase64url: string
      messageHash: string
    }[]
    type1: {
      receiverPrivateKey: string
      senderPublicKey: string
      symKey: string
      iv: string
      message: string
      encoded: string
      decodedType: number
    }[]
    type2: { message: string; encodedBase64: string; encodedBase64url: string; linkModeUrl: string }[]
    bad: { why: string; symKey: string; encoded: string; officialError: string }[]
  }
  didKey: { seed: string; publicKey: string; did: string }[]
  jwt: { seed: string; sub: string; aud: string; ttl: number; iat: number; signature: string; jwt: string }[]
  relayUrl: {
    input: {
      sdkVersion: string
      auth: string
      relayUrl: string
      projectId: string
      packageName?: string
      bundleId?: string
    }
    url: string
  }[]
  subscriptionId: { topic: string; clientId: string; id: string }[]
  uri: {
    parse: { uri: string; parsed?: Record<string, unknown>; officialError?: string }[]
    format: { params: Record<string, unknown>; uri: string }[]
    isValidUrl: { value: string; valid: boolean }[]
    pair: { uri: string | null; when?: string; officialError: string }[]
  }
  sdkErrors: Record<string, WireError>
  internalErrors: Record<string, WireError>
  namespaces: {
    validSession: { namespaces: unknown; error: WireError | null }[]
    validProposal: { namespaces: unknown; error: WireError | null }[]
    conforming: { required: Asked; session: Given; error: WireError | null }[]
    merge: { required: Asked; optional: Asked; merged: unknown }[]
    build: {
      proposal: { requiredNamespaces: Asked; optionalNamespaces: Asked }
      supported: Given
      approved: unknown
    }[]
  }
  time: {
    calcExpiry: { ttl: number; nowMs: number; expiry: number }[]
    requestExpiry: { expiry: unknown; valid: boolean }[]
  }
  deepLinks: { link: string; requestId: number; sessionTopic: string; url: string }[]
  rpcIds: { wcExample: number; relayExample: string }
  auth: {
    recap: { actions: string[]; encoded: string; decoded: { att: Record<string, Record<string, unknown[]>> } }
    messages: { request: SignInFields & { chains: string[]; type: string }; iss: string; message: string }[]
    badStatement: { statement: string; officialError: string }
    populate: {
      authPayload: SignInFields & { chains: string[] }
      chains: string[]
      methods: string[]
      result: SignInFields & { chains: string[] }
    }
  }
  transcripts: Record<'happySession' | 'rejection' | 'oneClickAuth' | 'oneClickAuthRejected', Transcript>
}

export type WireError = { code: number; message: string }
type Asked = Record<string, { chains?: string[]; methods: string[]; events: string[] }>
type Given = Record<string, { chains?: string[]; methods: string[]; events: string[]; accounts: string[] }>

export type Transcript = {
  uri: string
  symKeysByTopic: Record<string, string>
  keyPairs: Record<'dapp' | 'wallet', { clientSeed: string; x25519?: Record<string, string> }>
  frames: Step[]
}

/** One line of a recording: an opened socket, or a frame with the content of its envelopes. */
export type Step = {
  n: number
  who: 'dapp' | 'wallet'
  /** the step that begins here, in words */
  step?: string
  event?: string
  path?: string
  dir?: 'client->relay' | 'relay->client'
  frame?: string
  plain?: Record<string, string>
}

export const vectors = json as unknown as Vectors
