import type { Auth } from '../../events/subjects/auth.ts'
import type { FailureCode } from '../../runtime/failure.ts'

/** Words for the state of a sign-in. `came` is the ring's badge once it has failed. */
type SignInWords = { came?: 'declined' | 'expired' | 'failed'; title: string; text: string }

const safe = 'A signature moves nothing and costs nothing.'
const scan: SignInWords = { title: 'Scan with your phone’s wallet', text: safe }

/** The code expired before a wallet answered, and no other replaced it. */
export const runOutWords: SignInWords = {
  title: 'This code expired',
  text: 'A wallet that has it already may still sign.',
}

/**
 * @param auth `undefined` while in preparation
 * @param hasCode whether its code is shown
 */
export function wordsOf(auth: Auth | undefined, hasCode: boolean): SignInWords {
  switch (auth?.phase) {
    case 'failed':
      return failed(auth.failure.code)
    case 'done':
      return { title: 'You are signed in', text: 'The signature fits what was asked.' }
    case 'answered':
      return { title: 'Your wallet answered', text: 'The signature is being checked.' }
    case 'unsupported':
      return {
        title: 'Your wallet asks to connect instead',
        text: 'It does not know how to sign in. Approve it there.',
      }
    case 'delivered':
      return auth.byLink ? { title: 'Sign in your wallet', text: `It has the request. ${safe}` } : scan
    default:
      if (auth?.byLink) return { title: 'Opening your wallet', text: safe }
      return hasCode ? scan : { title: 'Making a code', text: safe }
  }
}

function failed(code: FailureCode): SignInWords {
  switch (code) {
    case 'user_rejected':
      return { came: 'declined', title: 'You declined', text: 'Nothing was signed.' }
    case 'expired':
    case 'timeout':
      return {
        came: 'expired',
        title: 'The wallet has not answered',
        text: 'The request expired. A later answer is not used.',
      }
    case 'bad_response':
      return {
        came: 'failed',
        title: 'This signature does not fit',
        text: 'It is not what was asked for, so nobody was signed in.',
      }
    case 'bad_input':
      return {
        came: 'failed',
        title: 'The wallet could not be opened',
        text: 'Its link opens no wallet. Nothing was signed.',
      }
    case 'offline':
      return {
        came: 'failed',
        title: 'You are offline',
        text: 'Nothing was signed. Try again when you are back online.',
      }
    case 'storage_down':
      return {
        came: 'failed',
        title: 'This browser stores nothing',
        text: 'Signing in needs storage. Allow it for this page.',
      }
    case 'reload_needed':
      return { came: 'failed', title: 'This page has changed', text: 'Reload it, then sign in.' }
    default:
      return {
        came: 'failed',
        title: 'Could not reach your wallet',
        text: 'Something went wrong on the way. Nothing was signed.',
      }
  }
}
