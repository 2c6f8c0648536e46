/** A wallet's error in our words: one code and one sentence, with nothing of the wallet's own text. */
import { Fault, type FailureCode } from '../../../runtime/failure.ts'

type WalletFailure = { code: FailureCode; message: string }

/** The call that failed. */
export type WalletCall = 'connect' | 'signTransaction' | 'signAndSendTransaction'

const refusing = /reject|denied|cancel|declin/i
/** A wallet that sends may fail after it has sent, with the network's words in its error: only a person's refusal counts. */
const personRefusing =
  /\b(?:user|person|approval)\b.{0,40}(?:reject|denied|cancel|declin)|(?:reject|cancel|declin)\w* by (?:the )?(?:user|person)/i
const refusingNames = /^Wallet(?:SignTransaction|WindowClosed)Error$/
const doing: Record<WalletCall, string> = {
  connect: 'to connect',
  signTransaction: 'to sign a transaction',
  signAndSendTransaction: 'to sign and send a transaction',
}

/**
 * @param name the wallet's name
 * @param cause anything that was thrown; its properties may throw when they are read
 */
export function walletFailure(name: string, asked: WalletCall, cause: unknown): WalletFailure {
  if (cause instanceof Fault) return { code: cause.code, message: cause.message }
  const code = property(cause, 'code')
  const message = property(cause, 'message')
  const kind = property(cause, 'name')
  const words =
    typeof message === 'string' ? message.slice(0, 500) : typeof cause === 'string' ? cause.slice(0, 500) : ''
  const named = typeof kind === 'string' ? kind : ''
  const said = (asked === 'signAndSendTransaction' ? personRefusing : refusing).test(words)
  if (code === 4001 || said || refusingNames.test(named))
    return { code: 'user_rejected', message: `the person declined in ${name}` }
  if (/\b(?:un)?lock(?:ed)?\b/i.test(words)) return { code: 'wallet_locked', message: `${name} is locked` }
  // Asked to send, a wallet may pass on a node's −32002, a failed simulation
  if (asked === 'connect' && code === -32002)
    return { code: 'busy', message: `${name} was asked to connect while another request was open` }
  const number = typeof code === 'number' && Number.isSafeInteger(code) ? ` with code ${code}` : ''
  return { code: 'unknown', message: `${name} was asked ${doing[asked]} and failed${number}` }
}

function property(of: unknown, key: string): unknown {
  if (typeof of !== 'object' || of === null) return undefined
  try {
    return Reflect.get(of, key) as unknown
  } catch {
    return undefined
  }
}
