import type { Area } from '../language.tsx'

const english = {
  open: 'Pay by code instead',
  openNote: 'No connection: any Solana wallet scans it.',
  title: 'Pay by code',
  waiting: 'Waiting for the payment',
  unwatched: 'Not watched',
  unwatchedNote:
    'An hour has passed, and this page no longer looks for a payment of this code. Do not pay it now. If you have paid it, look once more.',
  look: 'Look once more',
  looked: 'Looking once more. A payment that has arrived shows up here within a minute.',
  notFound: 'No payment of this code was found.',
  lookFailed: 'The network did not answer. A payment may have arrived unseen. Look once more.',
  remake: 'Make the code again',
  seen: 'Confirmed',
  scan: 'Scan it with a Solana wallet and approve exactly this payment.',
  codeFor: (amount: string) => `Code to pay ${amount}`,
  openWallet: 'Open a wallet',
  copyLink: 'Copy the link',
  copied: 'Link copied',
  notCopied: 'The link could not be copied',
  until: (least: string) => `The price may move until you pay. You get ${least} at least, or your payment comes back.`,
  paidBy: (address: string) => `Paid by ${address}. Tokens and refunds go to this account.`,
  seenNote: 'Final once the network providers agree, usually in about 15 seconds.',
  otherAmount: (amount: string) => `${amount} came, which is not the amount of the code. The team judges it.`,
  noMemo:
    'The wallet left out the text that names this purchase. The team has to return the payment by hand. Use another wallet for this code.',
  malformed: 'The payment does not have the form of a purchase. The team has to return it.',
  unread: 'The code could not be made yet. It is tried again.',
  untold: 'The announcements of the team have to be read first. Do not pay this code until it is shown again.',
  notNow: 'The sale takes no payment now. Do not pay this code.',
  stale: 'The price has changed: a payment of this code would come back. Put it away and make a new one.',
  otherTerms: 'The terms have changed since this code was made. Do not pay it: put it away and make a new one.',
  paidBeside:
    'This purchase is paid already. Do not pay this code, too: of two payments from one account at most one counts. Once the earlier payment is final, a new code is a new purchase.',
  paidTwice:
    'This purchase was paid before from this account. At most one of the two payments counts; the rest comes back.',
  close: 'Put away',
  done: 'Done',
  closeNote: 'This page looks for its payment for an hour, also after you put it away.',
  notMade: 'No code was made.',
  refused: 'No code was made: the sale or its price has changed. Look again, then press.',
}

export type InvoiceTexts = typeof english
/** Texts of a payment by a code, without a connection. */
export const invoiceArea: Area<InvoiceTexts> = { name: 'invoice', english }
