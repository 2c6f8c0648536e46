import type { Area } from '../language.tsx'

const english = {
  retryFailed: 'The wallet still cannot be reached. Reload the page, or try again later.',
  answerUnused: 'Your wallet’s answer could not be used. Its outcome shows here.',
  messageUnused: 'A message from your wallet could not be used.',
  notDone: 'That could not be done. Download a problem report and send it to the team.',
  notDelivered: 'That did not get through. Try again.',
  otherTabBusy: 'An order is open in the other tab. Finish it there, then continue here.',
  otherTabSilent: 'The other tab does not answer. Close it to continue here.',
  lateSent: 'Your wallet answered late. The chain is searched for anything it sent.',
  lateUnused: 'Your wallet answered too late. That answer is not used.',
  analyticsRefused: 'Invalid App Configuration',
  /** Failed calls of services, by their call. */
  calls: {
    balance: 'Token Balance Unavailable',
    history: 'Failed to fetch transactions',
  },
}

export type NoticeTexts = typeof english
/** Texts of toasts that no component shows by itself. */
export const noticesArea: Area<NoticeTexts> = { name: 'notices', english }
