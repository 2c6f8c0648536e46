import type { Area } from '../language.tsx'

const english = {
  back: 'Back',
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  timeLeft: (time: string) => `${time} left.`,
  copied: 'Copied',
  notCopied: 'Not copied',
  connectWallet: 'Connect wallet',
  reload: 'Reload the page',
  report: 'Download a problem report',
  reportSaved: (name: string) => `Saved ${name}`,
  reportFailed: 'The report could not be saved.',
  reportNote:
    'In a problem report addresses, names, amounts and dates are replaced, and it never holds a key. A payment in it can still be found by the time between it and another payment or a change of the sale.',
  notShown: 'That could not be shown. Try again, or reload the page.',
  outdated: 'This page has changed. Reload it.',
  /** A verdict and a sentence. */
  otherBuild: ['Another version of this page is open in another tab.', 'Continue there, or here.'] satisfies [
    string,
    string,
  ],
  continueHere: 'Continue here',
  disconnected: (wallet: string) => `${wallet} disconnected`,
  switched: 'Wallet switched',
}

export type BasicsTexts = typeof english
/** Texts of the kit and of all pages. */
export const basics: Area<BasicsTexts> = { name: 'basics', english }
