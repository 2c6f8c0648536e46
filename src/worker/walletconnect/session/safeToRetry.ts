/**
 * Methods that sign only a message, or read an account: asking twice costs the person a look and nothing else.
 * Typed data is not among them: it may be a permit to take money.
 */
export const safeToRetry: ReadonlySet<string> = new Set([
  'solana_signMessage',
  'solana_getAccounts',
  'solana_requestAccounts',
  'personal_sign',
  'eth_accounts',
  'eth_requestAccounts',
  'polkadot_signMessage',
  'signMessage',
  'getAccountAddresses',
  'cosmos_getAccounts',
  'sui_signPersonalMessage',
  'sui_getAccounts',
  'stx_signMessage',
  'stx_getAddresses',
])
