/** A JSON-RPC error. `code` is absent when the peer gave none. */
export type WireError = { readonly code?: number; readonly message: string }

/** Errors between two clients. @see WalletConnect specs, sign error codes */
export const sdkErrors = {
  ...tableOf({
    INVALID_METHOD: 1001,
    INVALID_EVENT: 1002,
    INVALID_UPDATE_REQUEST: 1003,
    INVALID_EXTEND_REQUEST: 1004,
    INVALID_SESSION_SETTLE_REQUEST: 1005,
    UNAUTHORIZED_METHOD: 3001,
    UNAUTHORIZED_EVENT: 3002,
    UNAUTHORIZED_UPDATE_REQUEST: 3003,
    UNAUTHORIZED_EXTEND_REQUEST: 3004,
    USER_REJECTED: 5000,
    USER_REJECTED_CHAINS: 5001,
    USER_REJECTED_METHODS: 5002,
    USER_REJECTED_EVENTS: 5003,
    UNSUPPORTED_CHAINS: 5100,
    UNSUPPORTED_METHODS: 5101,
    UNSUPPORTED_EVENTS: 5102,
    UNSUPPORTED_ACCOUNTS: 5103,
    UNSUPPORTED_NAMESPACE_KEY: 5104,
    USER_DISCONNECTED: 6000,
    SESSION_SETTLEMENT_FAILED: 7000,
  }),
  WC_METHOD_UNSUPPORTED: { code: 10001, message: 'Unsupported wc_ method.' },
}

/** Errors of a client towards its own application; some also appear in messages to the peer. */
export const internalErrors = tableOf({
  NOT_INITIALIZED: 1,
  NO_MATCHING_KEY: 2,
  RESTORE_WILL_OVERRIDE: 3,
  RESUBSCRIBED: 4,
  MISSING_OR_INVALID: 5,
  EXPIRED: 6,
  UNKNOWN_TYPE: 7,
  MISMATCHED_TOPIC: 8,
  NON_CONFORMING_NAMESPACES: 9,
})

/** Gives each code of the table the text of the protocol, which is its name as a sentence: `Invalid update request.` */
function tableOf<N extends string>(codes: Record<N, number>): Record<N, Required<WireError>> {
  const entries = Object.entries<number>(codes)
  return Object.fromEntries(
    entries.map(([name, code]) => [
      name,
      { code, message: `${name[0]}${name.slice(1).toLowerCase().replaceAll('_', ' ')}.` },
    ]),
  ) as Record<N, Required<WireError>>
}

export const errorTable = { ...sdkErrors, ...internalErrors }

/** @returns code and text of the table, the context after a blank: `Unsupported wc_ method. wc_pairingFoo` */
export function wcError(name: keyof typeof errorTable, context?: string): Required<WireError> {
  const { code, message } = errorTable[name]
  return { code, message: context ? `${message} ${context}` : message }
}

const rejections = new Set([5000, 5001, 5002, 5003, 4001, 12001])
const otherKnown = new Set<number>(Object.values(sdkErrors).map(error => error.code))

/** Whether an error is the person's rejection. A code of the protocol decides; without one, the message does. */
export function isRejection(error: WireError): boolean {
  if (error.code !== undefined && rejections.has(error.code)) return true
  if (error.code !== undefined && otherKnown.has(error.code)) return false
  return /user rejected|denied|cancel/i.test(error.message)
}
