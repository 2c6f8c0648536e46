/** How one kind of message is published. */
export type Publishing = {
  /** tells the relay what it carries; a wrong one breaks push notifications, not decryption */
  readonly tag: number
  /** mailbox life, seconds */
  readonly ttl: number
  /** whether the relay may wake the peer with a push notification */
  readonly prompt: boolean
}

type WcMethod = {
  readonly from: 'dapp' | 'wallet' | 'either'
  readonly topic: 'pairing' | 'session'
  readonly request: Publishing
  readonly response: Publishing
  /** answered by `true`, by a result of its own, or by nothing at all in practice */
  readonly answer: 'true' | 'result' | 'none'
  /** the person's refusal, and the refusal without asking anybody, where they have tags of their own */
  readonly rejection?: Publishing
  readonly autoRejection?: Publishing
}

const day = 86_400
const quiet = (tag: number, ttl: number): Publishing => ({ tag, ttl, prompt: false })
const waking = (tag: number, ttl: number): Publishing => ({ tag, ttl, prompt: true })

/**
 * The methods of the sign protocol. The answer to one-click auth comes on a topic of its own.
 * A session request lives as long as its own expiry when that is given, instead of 900 s.
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

/** The tags of messages whose sender a wallet wants to have witnessed. */
export const witnessedTags: ReadonlySet<number> = new Set([
  wcMethods.wc_sessionPropose.request.tag,
  wcMethods.wc_sessionAuthenticate.request.tag,
  wcMethods.wc_sessionRequest.request.tag,
])

type WcMethodName = keyof typeof wcMethods

/** The answer to a method nobody knows, on a pairing topic; on a session topic it gets none. */
export const unknownMethodAnswer: Publishing = quiet(0, day)

/** @returns whether this client knows the method; past this check the table has its row */
export function isWcMethod(name: string): name is WcMethodName {
  return Object.hasOwn(wcMethods, name)
}
