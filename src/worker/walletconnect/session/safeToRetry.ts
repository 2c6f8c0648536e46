/**
 * Methods by which a wallet signs nothing but words, or tells an account: asked for twice they cost a person a look, and
 * nothing else. Typed data is not among them: it may be a permit to take money.
 */
export const costless: ReadonlySet<string> = new Set([
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
