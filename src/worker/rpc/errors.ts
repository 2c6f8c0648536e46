import { Fault, type FailureCode } from '../../runtime/failure.ts'

/** A parsed JSON-RPC error. `data` is unchecked. */
export type NodeError = { code: number; message: string; data?: unknown }

/** @returns the error, undefined when there is none; a value that is not an error object has code 0 */
export function readNodeError(value: unknown): NodeError | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return { code: 0, message: String(value).slice(0, 300) }
  const { code, message, data } = value as Record<string, unknown>
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : 0,
    message: typeof message === 'string' ? message.slice(0, 300) : '',
    ...(data === undefined ? {} : { data }),
  }
}

/**
 * Codes of JSON-RPC, of Solana nodes and of Ethereum providers; -32002 to -32016 are read as Solana's.
 * @see JSON-RPC 2.0, §5.1; Agave `rpc-client-api/src/custom_error.rs`; EIP-1193, EIP-1474, EIP-5792
 */
const codes: Record<number, FailureCode> = {
  [-32700]: 'bad_response',
  [-32600]: 'bad_input',
  [-32601]: 'unsupported',
  [-32602]: 'bad_input',
  [-32603]: 'unreachable',
  // `Server error`, of a node or of a service before it
  [-32000]: 'unreachable',
  [-32001]: 'bad_response',
  [-32002]: 'simulation_failed',
  [-32003]: 'bad_input',
  [-32004]: 'unreachable',
  [-32006]: 'bad_input',
  [-32007]: 'bad_response',
  [-32008]: 'unreachable',
  [-32009]: 'bad_response',
  [-32010]: 'unsupported',
  [-32011]: 'unsupported',
  [-32012]: 'unreachable',
  [-32013]: 'bad_input',
  [-32014]: 'unreachable',
  [-32015]: 'unsupported',
  [-32016]: 'unreachable',
  [-32429]: 'rate_limited',
  429: 'rate_limited',
  4001: 'user_rejected',
  4100: 'unauthorized',
  4200: 'unsupported',
  4900: 'unreachable',
  4901: 'unreachable',
  4902: 'wrong_cluster',
  5000: 'user_rejected',
  5700: 'unsupported',
  5710: 'unsupported',
  5720: 'bad_input',
  5730: 'bad_input',
  5740: 'bad_input',
  5750: 'user_rejected',
  5760: 'unsupported',
}

/**
 * @returns the node's error as a failure of the closed list; its own message may quote addresses and credentials and is
 * dropped
 */
export function rpcFault(error: NodeError, method: string, node: string): Fault {
  const sentence = `${node} expected to answer ${method}, got error ${error.code}`
  return new Fault(codeOf(error), sentence, { rpcCode: error.code })
}

function codeOf({ code, message, data }: NodeError): FailureCode {
  // Solana nodes use this code for "behind", rate limiters in front of them for "too many"
  if (code === -32005) {
    const behind = typeof data === 'object' && data !== null && 'numSlotsBehind' in data
    return behind || /behind|unhealthy/i.test(message) ? 'unreachable' : 'rate_limited'
  }
  return codes[code] ?? 'bad_response'
}

/** Code of Agave's `UnsupportedTransactionVersion`. */
const unknownVersion = -32015

/**
 * @returns whether a node withheld a transaction because its version is newer than ours: an attached stranger's transaction
 * must not block a read
 */
export function isNewerKind(cause: unknown): boolean {
  return cause instanceof Fault && cause.facts?.rpcCode === unknownVersion
}
