import type { Area } from '../language.tsx'
import { pluralIn } from '../plural.ts'

const plural = pluralIn('en')

const english = {
  title: 'Verify this sale',
  about: 'Your browser reads every payment from the chain and computes this page’s figures again.',
  verify: 'Verify',
  listing: 'Listing payments',
  listed: (count: string) => `${count} so far. You can leave; it continues when you return.`,
  reading: 'Reading payments',
  read: (count: string, total: string) => `${count} of ${total}. You can leave; it continues when you return.`,
  paused: 'Paused',
  pausedAt: (count: string, total: string) => `${count} of ${total} read.`,
  pause: 'Pause',
  goOn: 'Go on',
  stop: 'Stop',
  stopped: 'Stopped before the end. Nothing was compared.',
  matches: 'It matches',
  matchesFact: (moment: string) => `The team’s figures of ${moment} are those of the chain.`,
  differs: 'It does not match',
  differsFact: (moment: string) =>
    `The team’s figures of ${moment} are not those of the chain. Buying is off on this device.`,
  computed: 'Computed',
  published: (moment: string) => `The team’s figures of ${moment}, signed:`,
  nothingPublished: 'The team has published no figures to compare with.',
  behind: 'The team’s figures were not compared: the Solana node has not come that far. Try again.',
  unannounced: 'The team’s figures were not compared: their file is not the announced one. Try again later.',
  fileMissing: 'The team’s figures were not compared: their file could not be read. Try again.',
  team: 'Team',
  chain: 'Chain',
  upTo: (moment: string, count: number, text: string) =>
    plural(count, {
      one: `All ${text} transaction up to ${moment}:`,
      other: `All ${text} transactions up to ${moment}:`,
    }),
  again: 'Again',
  failed: 'Not verified',
  contradicts: 'The chain’s answers contradict each other: a payment is missing or invented. Try again later.',
  silent: 'Solana isn’t responding. Try again later.',
  version: 'An earlier version of the terms is missing or was altered.',
  other: 'Something unexpected happened. Try again.',
  figures: {
    raised: 'Raised',
    pos: 'Position on the price stairs',
    tokens: 'Sold',
    orders: 'Orders',
    buyers: 'Buyers',
    refundsOwed: 'Refunds in all',
    outflows: 'Left the treasury',
    balances: 'In the treasury',
    hash: 'Ledger hash',
  },
  none: 'none',
}

export type LedgerTexts = typeof english
/** Texts of "Verify this sale". */
export const ledgerArea: Area<LedgerTexts> = { name: 'ledger', english }
