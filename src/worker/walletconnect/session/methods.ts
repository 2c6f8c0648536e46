/** Relay parameters of one kind of message. */
export type Publishing = {
  /** names the content to the relay; a wrong tag breaks push notifications, not decryption */
  readonly tag: number
  /** mailbox lifetime, seconds */
  readonly ttl: number
  /** whether the relay may wake the peer with a push notification */
  readonly prompt: boolean
}

type WcMethod = {
  readonly from: 'dapp' | 'wallet' | 'either'
  readonly topic: 'pairing' | 'session'
  readonly request: Publishing
  readonly response: Publishing
  /** answered by `true`, by a result of its own, or in practice not at all */
  readonly answer: 'true' | 'result' | 'none'
  /** tags of their own for the person's rejection and for an automatic one */
  readonly rejection?: Publishing
  readonly autoRejection?: Publishing
}

const day = 86_400
const quiet = (tag: number, ttl: number): Publishing => ({ tag, ttl, prompt: false })
const waking = (tag: number, ttl: number): Publishing => ({ tag, ttl, prompt: true })

/**
 * The methods of the sign protocol. The answer to one-click auth comes on a topic of its own.
 * A session request's own expiry, when given, replaces the 900 s.
 *
 * @see WalletConnect specs, sign rpc methods
 */
export const wcMethods = {
  wc_pairingDelete: {
    from: 'either',
    topic: 'pairing',
    answer: 'none',
    request: quiet(1000, day),
    response: quiet(1001, day),
  },
  wc_pairingPing: {
    from: 'either',
    topic: 'pairing',
    answer: 'true',
    request: quiet(1002, 30),
    response: quiet(1003, 30),
  },
  wc_sessionPropose: {
    from: 'dapp',
    topic: 'pairing',
    answer: 'result',
    request: waking(1100, 300),
    response: quiet(1101, 300),
    rejection: quiet(1120, 300),
    autoRejection: quiet(1121, 300),
  },
  wc_sessionAuthenticate: {
    from: 'dapp',
    topic: 'pairing',
    answer: 'result',
    request: waking(1116, 3600),
    response: quiet(1117, 3600),
    rejection: quiet(1118, 300),
    autoRejection: quiet(1119, 300),
  },
  wc_sessionSettle: {
    from: 'wallet',
    topic: 'session',
    answer: 'true',
    request: quiet(1102, 300),
    response: quiet(1103, 300),
  },
  wc_sessionUpdate: {
    from: 'wallet',
    topic: 'session',
    answer: 'true',
    request: quiet(1104, day),
    response: quiet(1105, day),
  },
  wc_sessionExtend: {
    from: 'either',
    topic: 'session',
    answer: 'true',
    request: quiet(1106, day),
    response: quiet(1107, day),
  },
  wc_sessionRequest: {
    from: 'dapp',
    topic: 'session',
    answer: 'result',
    request: waking(1108, 900),
    response: quiet(1109, 900),
  },
  wc_sessionEvent: {
    from: 'either',
    topic: 'session',
    answer: 'none',
    request: waking(1110, 300),
    response: quiet(1111, 300),
  },
  wc_sessionDelete: {
    from: 'either',
    topic: 'session',
    answer: 'none',
    request: quiet(1112, day),
    response: quiet(1113, day),
  },
  wc_sessionPing: {
    from: 'either',
    topic: 'session',
    answer: 'true',
    request: quiet(1114, day),
    response: quiet(1115, day),
  },
} as const satisfies Record<string, WcMethod>

/** Tags of messages for which wallets expect an attestation. */
export const attestedTags: ReadonlySet<number> = new Set([
  wcMethods.wc_sessionPropose.request.tag,
  wcMethods.wc_sessionAuthenticate.request.tag,
  wcMethods.wc_sessionRequest.request.tag,
])

/** Answer to an unknown method on a pairing topic; on a session topic there is none. */
export const unknownMethodAnswer: Publishing = quiet(0, day)
