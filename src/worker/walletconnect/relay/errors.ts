/** A JSON-RPC error. `code` is absent when the peer gave none. */
export type WireError = { readonly code?: number; readonly message: string }

/** Errors between two clients. @see WalletConnect specs, sign error codes */
export const sdkErrors = {
  INVALID_METHOD: { code: 1001, message: 'Invalid method.' },
  INVALID_EVENT: { code: 1002, message: 'Invalid event.' },
  INVALID_UPDATE_REQUEST: { code: 1003, message: 'Invalid update request.' },
  INVALID_EXTEND_REQUEST: { code: 1004, message: 'Invalid extend request.' },
  INVALID_SESSION_SETTLE_REQUEST: { code: 1005, message: 'Invalid session settle request.' },
  UNAUTHORIZED_METHOD: { code: 3001, message: 'Unauthorized method.' },
  UNAUTHORIZED_EVENT: { code: 3002, message: 'Unauthorized event.' },
  UNAUTHORIZED_UPDATE_REQUEST: { code: 3003, message: 'Unauthorized update request.' },
  UNAUTHORIZED_EXTEND_REQUEST: { code: 3004, message: 'Unauthorized extend request.' },
  USER_REJECTED: { code: 5000, message: 'User rejected.' },
  USER_REJECTED_CHAINS: { code: 5001, message: 'User rejected chains.' },
  USER_REJECTED_METHODS: { code: 5002, message: 'User rejected methods.' },
  USER_REJECTED_EVENTS: { code: 5003, message: 'User rejected events.' },
  UNSUPPORTED_CHAINS: { code: 5100, message: 'Unsupported chains.' },
  UNSUPPORTED_METHODS: { code: 5101, message: 'Unsupported methods.' },
  UNSUPPORTED_EVENTS: { code: 5102, message: 'Unsupported events.' },
  UNSUPPORTED_ACCOUNTS: { code: 5103, message: 'Unsupported accounts.' },
  UNSUPPORTED_NAMESPACE_KEY: { code: 5104, message: 'Unsupported namespace key.' },
  USER_DISCONNECTED: { code: 6000, message: 'User disconnected.' },
  SESSION_SETTLEMENT_FAILED: { code: 7000, message: 'Session settlement failed.' },
  WC_METHOD_UNSUPPORTED: { code: 10001, message: 'Unsupported wc_ method.' },
} as const satisfies Record<string, Required<WireError>>

/** Errors of a client towards its own application; some also appear in messages to the peer. */
export const internalErrors = {
  NOT_INITIALIZED: { code: 1, message: 'Not initialized.' },
  NO_MATCHING_KEY: { code: 2, message: 'No matching key.' },
  RESTORE_WILL_OVERRIDE: { code: 3, message: 'Restore will override.' },
  RESUBSCRIBED: { code: 4, message: 'Resubscribed.' },
  MISSING_OR_INVALID: { code: 5, message: 'Missing or invalid.' },
  EXPIRED: { code: 6, message: 'Expired.' },
  UNKNOWN_TYPE: { code: 7, message: 'Unknown type.' },
  MISMATCHED_TOPIC: { code: 8, message: 'Mismatched topic.' },
  NON_CONFORMING_NAMESPACES: { code: 9, message: 'Non conforming namespaces.' },
} as const satisfies Record<string, Required<WireError>>

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
