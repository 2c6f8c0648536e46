import type { Area } from '../language.tsx'

const english = {
  allocation: 'Your allocation',
  allocationAbout: (delivery: string) => `${delivery}. The team sends it; you do nothing.`,
  counted: 'Counted',
  bonus: 'Referral bonus',
  notCounted: 'Not yet counted',
  notCountedNote: 'Verify this sale to see what the books count for you.',
  payouts: 'Payouts',
  payoutsAbout: 'Read from the chain, and from the team’s announced plans: what it sends to this wallet.',
  due: (day: string) => `Due ${day}`,
  dueBy: (day: string) => `Due by ${day}`,
  notSeen: 'No payment found yet',
  proof: 'Payout proof',
  delivery: 'Delivery',
  refund: 'Refund',
  arrived: 'Arrived',
  referral: 'Referral',
  referralAbout: (percent: string, symbol: string) =>
    `You earn ${percent} in ${symbol} when someone buys through your link, once you have bought yourself. Their price does not change.`,
  link: 'Your referral link',
  copyLink: 'Copy link',
  pool: (amount: string) => `Paid from a pool of ${amount}, until it is empty.`,
  earned: (amount: string, moment: string) => `Earned up to ${moment}: ${amount}.`,
  through: (address: string) => `You came through the link of ${address}. Your price is the same.`,
  linkOwn: 'This is your own referral link. It earns nothing on your own purchases.',
  linkUnreadable: 'The referral link holds no valid address, so it counts for no one. You can buy without it.',
}

export type HoldingTexts = typeof english
/** Texts of an account's allocation and of its referral link. */
export const holdingArea: Area<HoldingTexts> = { name: 'holding', english }
