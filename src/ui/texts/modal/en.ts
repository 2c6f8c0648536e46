import type { Area } from '../language.tsx'

/** A sentence about both documents, and about one of them; each second text is a link. */
export type DocumentSentences = {
  both: [string, string, string, string, string]
  terms: [string, string, string]
  privacy: [string, string, string]
}

const english = {
  allWallets: 'All wallets',
  account: 'Account',
  whatIsAWallet: 'What is a wallet?',
  receive: 'Receive',
  send: 'Send',
  selectToken: 'Select a token',
  reviewSend: 'Review transfer',
  compatibleNetworks: 'Compatible networks',
  chooseNetwork: 'Choose network',
  whatIsANetwork: 'What is a network?',
  switchNetwork: 'Switch network',
  wallets: 'Wallets',
  activity: 'Activity',
  partMissing: 'This part did not load',
  mayHaveChanged: 'The page may have changed. Reload it if this stays.',
  offline: 'You are offline.',
  getAWallet: 'Get a wallet',
  answerFirst: 'Choose another network here, or disconnect.',
  consent: {
    both: ['By connecting you agree to the ', 'terms', ' and ', 'privacy notice', '.'],
    terms: ['By connecting you agree to the ', 'terms', '.'],
    privacy: ['By connecting you agree to the ', 'privacy notice', '.'],
  } satisfies DocumentSentences,
  somethingWrong: 'Something wrong?',
  reportBrief: 'Addresses and amounts in it are replaced. A payment can still be found by its time.',
  reportFailed: 'The report could not be saved',
  added: 'New wallet added',
  notStarted: 'A file of this window is missing or was altered, or it keeps failing. Reload the page.',
  linkUnread: 'A wallet opened this page with a message it cannot read. Nothing has changed.',
  blockedForbidden: 'This browser does not let this page work in the background. Another browser may.',
  /** Refusals of the project's services, by code. */
  problems: {
    APKT002: 'Invalid App Configuration',
    APKT006: 'Session Expired',
    APKT007: 'Invalid Project ID',
    APKT008: 'Project ID Missing',
    APKT009: 'Server Error',
    APKT010: 'Rate Limited',
  },
}

export type ModalTexts = typeof english
/** Texts of the modal's frame and foot. */
export const modalArea: Area<ModalTexts> = { name: 'modal', english }
