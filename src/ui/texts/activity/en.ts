import type { Area } from '../language.tsx'

const english = {
  holdings: 'What this account holds',
  tokens: 'Tokens',
  activity: 'Activity',
  someTokens: 'The list of tokens could not be read. These are read from the chain.',
  noTokens: 'No tokens yet',
  noTokensNote: 'Tokens of this network appear here.',
  receiveSome: 'Receive tokens',
  offline: 'You are offline',
  offlineNote: 'The list is read once you are back.',
  reading: 'Reading transactions',
  none: 'No transactions yet',
  noneNote: 'Transactions of this account appear here.',
  notListed: 'No list for this network',
  notListedNote: 'The explorer shows the transactions of this account.',
  older: 'Older transactions are in the explorer.',
  failed: 'Transactions could not be read',
  failedNote: 'The service did not answer.',
  transaction: 'Transaction',
  states: { confirmed: 'final', failed: 'failed', pending: 'on its way' },
  directions: { in: 'Received', out: 'Sent', self: 'Moved' },
  operations: {
    receive: 'Received',
    send: 'Sent',
    trade: 'Swapped',
    approve: 'Approved',
    mint: 'Minted',
    burn: 'Burned',
    deposit: 'Deposited',
    withdraw: 'Withdrawn',
    stake: 'Staked',
    unstake: 'Unstaked',
    claim: 'Claimed',
    borrow: 'Borrowed',
    repay: 'Repaid',
    deploy: 'Deployed',
    execute: 'Program run',
  },
}

export type ActivityTexts = typeof english
/** Texts of an account's tokens and transactions. */
export const activityArea: Area<ActivityTexts> = { name: 'activity', english }
