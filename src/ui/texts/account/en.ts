import type { Area } from '../language.tsx'

const english = {
  readingBalance: 'Reading the balance',
  noSol: 'This account has no SOL. Send some to its address.',
  mayBeOld: 'May be out of date.',
  balanceUnknown: 'The balance is not known.',
  retry: 'Retry',
  mint: (address: string) => `Mint ${address}`,
  addressCopied: 'Address copied',
  addressNotCopied: 'The address was not copied',
  copyAddress: 'copy the address',
  disconnect: 'Disconnect',
  disconnecting: 'Disconnecting',
  waitingFor: (wallet: string) => `Waiting for ${wallet}. Until it is here you can look, but not pay.`,
  lookOnly: 'You can look, but not pay.',
  connectAgain: 'Connect again',
  notHere: (wallet: string) => `${wallet} is not in this browser now.`,
  sharedName: (wallet: string) => `Another wallet here is named like ${wallet}. Connect again to choose yours.`,
  looksDifferent: (wallet: string) => `${wallet} looks different now. Connect again if you trust it.`,
  noAccess: (wallet: string) => `${wallet} did not give access again.`,
  explorer: 'View on explorer',
  fromHost: (host: string) => `From ${host}.`,
  linkFits: 'Its link leads to the page it names.',
  messagesFit: 'Its messages come from the page it names.',
  fraud: 'Known for fraud.',
  fraudNote: (wallet: string) =>
    `${wallet}’s messages come from a page that the verify service lists as a scam. Do not pay with this wallet.`,
  notFromHost: (host: string) => `Not from ${host}.`,
  notFromPage: 'Not from a page it names.',
  namesNoPage: (wallet: string) => `${wallet} names no page of its own.`,
  linkElsewhere: (wallet: string) => `${wallet} names that page, but its link leads elsewhere.`,
  messagesElsewhere: (wallet: string) => `${wallet} names that page, but its messages come from elsewhere.`,
  payIfKnown: 'Pay only if you know this wallet.',
  another: 'Connect another wallet',
  connectedWallets: 'Connected wallets',
  sharesNone: 'Shares no account',
  active: 'Active',
  switchTo: (wallet: string) => `Switch to ${wallet}`,
  leave: (wallet: string) => `Disconnect ${wallet}`,
}

export type AccountTexts = typeof english
/** Texts of the connected account. */
export const accountArea: Area<AccountTexts> = { name: 'account', english }
