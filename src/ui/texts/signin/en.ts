import type { Area } from '../language.tsx'

const safe = 'A signature moves nothing and costs nothing.'

const english = {
  signIn: 'Sign in',
  codeLabel: 'QR code to sign in with a wallet',
  newCode: 'New code',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  linkNotCopied: 'The link was not copied',
  openYours: 'Open your wallet',
  requestWaits: 'A request waits in your wallet. Answer it there, then come back.',
  /** A title and a sentence for each state. */
  states: {
    scan: ['Scan with your phone’s wallet', safe],
    ranOut: ['This code expired', 'A wallet that has it already may still sign.'],
    done: ['You are signed in', 'The signature fits what was asked.'],
    answered: ['Your wallet answered', 'The signature is being checked.'],
    unsupported: ['Your wallet asks to connect instead', 'It does not know how to sign in. Approve it there.'],
    delivered: ['Sign in your wallet', `It has the request. ${safe}`],
    opening: ['Opening your wallet', safe],
    making: ['Making a code', safe],
    declined: ['You declined', 'Nothing was signed.'],
    noAnswer: ['The wallet has not answered', 'The request expired. A later answer is not used.'],
    noFit: ['This signature does not fit', 'It is not what was asked for, so nobody was signed in.'],
    notOpened: ['The wallet could not be opened', 'Its link opens no wallet. Nothing was signed.'],
    offline: ['You are offline', 'Nothing was signed. Try again when you are back online.'],
    noStorage: ['This browser stores nothing', 'Signing in needs storage. Allow it for this page.'],
    changed: ['This page has changed', 'Reload it, then sign in.'],
    unreached: ['Could not reach your wallet', 'Something went wrong on the way. Nothing was signed.'],
  } satisfies { [state: string]: [string, string] },
}

export type SignInTexts = typeof english
/** Texts of signing in. */
export const signInArea: Area<SignInTexts> = { name: 'signIn', english }
