/**
 * The provider's errors. Hosts decide by `code`; `message` is for people, and `name` is the one that provider libraries use.
 *
 * @see EIP-1193, EIP-1474, EIP-3085, EIP-3326, EIP-5792; JSON-RPC 2.0, §5.1; WalletConnect specs, sign error codes
 */
import { errorTable } from '../../worker/walletconnect/relay/errors.ts'

const ethereum: Record<number, string> = {
  [-32_700]: 'ParseRpcError',
  [-32_600]: 'InvalidRequestRpcError',
  [-32_601]: 'MethodNotFoundRpcError',
  [-32_602]: 'InvalidParamsRpcError',
  [-32_603]: 'InternalRpcError',
  [-32_000]: 'InvalidInputRpcError',
  [-32_001]: 'ResourceNotFoundRpcError',
  [-32_002]: 'ResourceUnavailableRpcError',
  [-32_003]: 'TransactionRejectedRpcError',
  [-32_004]: 'MethodNotSupportedRpcError',
  [-32_005]: 'LimitExceededRpcError',
  [-32_006]: 'JsonRpcVersionUnsupportedError',
  4001: 'UserRejectedRequestError',
  4100: 'UnauthorizedProviderError',
  4200: 'UnsupportedProviderMethodError',
  4900: 'ProviderDisconnectedError',
  4901: 'ChainDisconnectedError',
  4902: 'SwitchChainError',
  5000: 'UserRejectedRequestError',
  5700: 'UnsupportedNonOptionalCapabilityError',
  5710: 'UnsupportedChainIdError',
  5720: 'DuplicateIdError',
  5730: 'UnknownBundleIdError',
  5740: 'BundleTooLargeError',
  5750: 'AtomicReadyWalletRejectedUpgradeError',
  5760: 'AtomicityNotSupportedError',
}

/** Error names by code; those of WalletConnect's codes come from its table. */
export const errorNames: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.entries(errorTable).map(([name, { code }]) => [code, name])),
  ...ethereum,
}

/** `data` is the wallet's or node's own, unchanged. */
export class ProviderError extends Error {
  readonly code: number
  declare readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = errorNames[code] ?? 'ProviderRpcError'
    this.code = code
    if (data !== undefined) this.data = data
  }
}

const make = (code: number, message: string, data?: unknown) => new ProviderError(code, message, data)

/** The errors that the provider itself throws, with the official provider's messages where it has them. */
export const thrown = {
  notConnected: () => make(4900, 'Please call connect() before request()'),
  notEnabled: () => make(4900, 'Please call connect() before enable()'),
  notInitialized: () => make(errorTable.NOT_INITIALIZED.code, 'Sign Client not initialized'),
  closed: () => make(4900, 'Connection already closed'),
  noNamespace: (namespace: string) =>
    make(
      errorTable.MISSING_OR_INVALID.code,
      `Namespace '${namespace}' is not configured. Please call connect() first with namespace config.`,
    ),
  noSession: (topic: string) =>
    make(
      errorTable.NO_MATCHING_KEY.code,
      `No matching key. session or pairing topic doesn't exist: ${topic.slice(0, 200)}`,
    ),
  noParams: (got: unknown) =>
    make(errorTable.MISSING_OR_INVALID.code, `Missing or invalid. request() params: ${String(got)}`),
  noMethod: (request: string) => make(errorTable.MISSING_OR_INVALID.code, `Missing or invalid. request() ${request}`),
  badExpiry: (got: string) =>
    make(
      errorTable.MISSING_OR_INVALID.code,
      `Missing or invalid. request() expiry: ${got}. Expiry must be a number (in seconds) between 300 and 604800`,
    ),
  badOptions: (why: string) => make(-32_602, `connect() ${why}`),
  badCall: (why: string) => make(errorTable.MISSING_OR_INVALID.code, `Missing or invalid. ${why}`),
  callUnheard: () => make(-32_603, 'it is unknown whether the wallet answered: the core was lost meanwhile'),
  badParams: (why: string) => make(-32_602, `request params expected JSON, ${why}`),
  noChain: (chain: string) => make(4901, `JSON-RPC provider for ${chain} not found`),
  noRpcUrl: (chain: string) => make(4901, `No RPC url provided for chainId: ${chain}`),
  // The address is not quoted: it may carry a key
  notHttp: () => make(-32_602, 'Provided URL is not compatible with HTTP connection'),
  noSwitch: (chain: string) =>
    make(
      4902,
      `Failed to switch to chain '${chain}'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.`,
    ),
  badChainId: () => make(-32_602, 'wallet_switchEthereumChain expected a chainId in hex, as in [{ chainId: "0x1" }]'),
  noAddress: () => make(-32_602, 'Missing address parameter in `wallet_getCapabilities` request'),
  /** @param why the last bundler's error */
  noCallsStatus: (why?: string) => make(4100, 'Fetching call status not approved by the wallet.', why),
  noReceipt: (status: string | number) => make(-32_603, `Failed to fetch user operation receipt - ${status}`),
  notTaken: () => make(4900, 'it is unknown whether the wallet got the request: check answers() before repeating it'),
  answerGone: () => make(-32_603, "the wallet's answer is no longer stored"),
  proposalLeft: () => make(4001, 'the connection attempt was abandoned'),
  stillThere: () => make(-32_603, 'disconnect() expected the session to end within 10 s, it did not'),
} as const
