import type { FailureCode } from '../../runtime/failure.ts'
import type { Connector } from '../../events/subjects/connection.ts'

/** Words for a failed attempt. `came` is the ring's badge. */
export type Outcome = { came: 'declined' | 'expired' | 'failed'; title: string; text: string }

const safe = 'Your wallet and funds are not affected.'

/** @returns the words for an attempt that ended without a connection, one set per cause */
export function outcomeOf(code: FailureCode, connector: Connector, wallet: string): Outcome {
  const byCode = connector === 'walletConnect' ? remote(code, wallet) : local(code, wallet)
  return byCode ?? shared(code, wallet)
}

function local(code: FailureCode, wallet: string): Outcome | undefined {
  switch (code) {
    case 'expired':
    case 'wallet_gone':
    case 'timeout':
      return {
        came: 'expired',
        title: `${wallet} has not answered`,
        text: 'The request expired. Unlock it and ask again.',
      }
    case 'wallet_locked':
      return { came: 'expired', title: `${wallet} is locked`, text: 'Unlock it and ask again.' }
    case 'busy':
      return {
        came: 'expired',
        title: `${wallet} is asking already`,
        text: 'Open it and answer the request that waits there.',
      }
    case 'unsupported':
      return { came: 'failed', title: `${wallet} cannot be used here`, text: `It cannot sign for Solana. ${safe}` }
    case 'bad_response':
      return { came: 'failed', title: `${wallet} shared no account`, text: `Its answer cannot be used. ${safe}` }
  }
  return undefined
}

function remote(code: FailureCode, wallet: string): Outcome | undefined {
  const name = wallet === 'WalletConnect' ? 'This wallet' : wallet
  switch (code) {
    case 'expired':
    case 'wallet_gone':
      return { came: 'expired', title: 'The code expired', text: 'No wallet answered in time. Ask for a new code.' }
    case 'bad_response':
    case 'unsupported':
      return {
        came: 'failed',
        title: `${name} cannot be used here`,
        text: `It approved nothing this page can pay with. ${safe}`,
      }
    case 'unreachable':
    case 'timeout':
    case 'rate_limited':
      return { came: 'failed', title: 'Could not reach the relay', text: `The connection to it was lost. ${safe}` }
    case 'unauthorized':
      return { came: 'failed', title: 'The relay refused this page', text: `Only the team can change that. ${safe}` }
  }
  return undefined
}

function shared(code: FailureCode, wallet: string): Outcome {
  switch (code) {
    case 'user_rejected':
      return { came: 'declined', title: 'You declined', text: 'Nothing was shared. Try again whenever you like.' }
    case 'offline':
      return { came: 'failed', title: 'You are offline', text: 'Try again when you are back online.' }
    case 'storage_down':
      return {
        came: 'failed',
        title: 'This browser stores nothing',
        text: 'A connection needs storage. Allow it for this page, or leave the private window.',
      }
    case 'elsewhere':
      return { came: 'failed', title: 'This page is open elsewhere', text: 'Connect in the other tab, or close it.' }
    case 'reload_needed':
      return { came: 'failed', title: 'This page has changed', text: 'Reload it, then connect.' }
    default:
      return { came: 'failed', title: `Could not reach ${wallet}`, text: `Something went wrong on the way. ${safe}` }
  }
}
