import type { FailureCode } from '../../runtime/failure.ts'
import type { Connector } from '../../events/subjects/wallet/connection.ts'
import type { ConnectTexts } from '../texts/connect/en.ts'

/** Words for a failed attempt. `came` is the ring's badge; `reload`: the page must be loaded anew first. */
export type Outcome = { came: 'declined' | 'expired' | 'failed'; title: string; text: string; reload?: true }

type End = keyof ConnectTexts['ended']
/** Ends that are no failure of this page or the wallet. */
const milder: { [end in End]?: Outcome['came'] } = {
  silent: 'expired',
  locked: 'expired',
  busy: 'expired',
  codeExpired: 'expired',
  declined: 'declined',
}

/** @returns the words for an attempt that ended without a connection, one set per cause */
export function outcomeOf(t: ConnectTexts, code: FailureCode, connector: Connector, wallet: string): Outcome {
  const isRemote = connector === 'walletConnect'
  const end = (isRemote ? remote(code) : local(code)) ?? shared(code)
  // The plain code names no wallet
  const name = end === 'unfit' && wallet === 'WalletConnect' ? t.thisWallet : wallet
  const [title, text] = t.ended[end](name)
  return { came: milder[end] ?? 'failed', title, text, ...(end === 'changed' && { reload: true }) }
}

function local(code: FailureCode): End | undefined {
  switch (code) {
    case 'expired':
    case 'wallet_gone':
    case 'timeout':
      return 'silent'
    case 'wallet_locked':
      return 'locked'
    case 'busy':
      return 'busy'
    case 'unsupported':
      return 'noSolana'
    case 'bad_response':
      return 'noAccount'
  }
  return undefined
}

function remote(code: FailureCode): End | undefined {
  switch (code) {
    case 'expired':
    case 'wallet_gone':
      return 'codeExpired'
    case 'bad_response':
    case 'unsupported':
      return 'unfit'
    case 'unreachable':
    case 'timeout':
    case 'rate_limited':
      return 'relayAway'
    case 'unauthorized':
      return 'relayRefused'
  }
  return undefined
}

function shared(code: FailureCode): End {
  switch (code) {
    case 'user_rejected':
      return 'declined'
    case 'offline':
      return 'offline'
    case 'storage_down':
      return 'noStorage'
    case 'elsewhere':
      return 'elsewhere'
    case 'reload_needed':
      return 'changed'
    default:
      return 'unreached'
  }
}
