import type { Auth } from '../../events/subjects/wallet/authState.ts'
import type { FailureCode } from '../../runtime/failure.ts'
import type { SignInTexts } from '../texts/signin/en.ts'

/** Words for the state of a sign-in. `came` is the ring's badge once it is over. */
type SignInWords = { came?: 'declined' | 'expired' | 'failed' | 'done'; title: string; text: string }

type State = keyof SignInTexts['states']

function said({ states }: SignInTexts, state: State): SignInWords {
  const [title, text] = states[state]
  return { title, text }
}

/** @returns the words for a code that expired before a wallet answered, and that no other replaced */
export function runOutWords(t: SignInTexts): SignInWords {
  return { came: 'expired', ...said(t, 'ranOut') }
}

/**
 * @param auth `undefined` while in preparation
 * @param hasCode whether its code is shown
 */
export function wordsOf(t: SignInTexts, auth: Auth | undefined, hasCode: boolean): SignInWords {
  switch (auth?.phase) {
    case 'failed': {
      const { state, came } = failed(auth.failure.code)
      return { came, ...said(t, state) }
    }
    case 'done':
      return { came: 'done', ...said(t, 'done') }
    case 'answered':
    case 'unsupported':
      return said(t, auth.phase)
    case 'delivered':
      return said(t, auth.byLink ? 'delivered' : 'scan')
    default:
      if (auth?.byLink) return said(t, 'opening')
      return said(t, hasCode ? 'scan' : 'making')
  }
}

function failed(code: FailureCode): { state: State; came: 'declined' | 'expired' | 'failed' } {
  switch (code) {
    case 'user_rejected':
      return { state: 'declined', came: 'declined' }
    case 'expired':
    case 'timeout':
      return { state: 'noAnswer', came: 'expired' }
    case 'bad_response':
      return { state: 'noFit', came: 'failed' }
    case 'bad_input':
      return { state: 'notOpened', came: 'failed' }
    case 'offline':
      return { state: 'offline', came: 'failed' }
    case 'storage_down':
      return { state: 'noStorage', came: 'failed' }
    case 'reload_needed':
      return { state: 'changed', came: 'failed' }
    default:
      return { state: 'unreached', came: 'failed' }
  }
}
