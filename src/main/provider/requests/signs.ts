/** Methods by which a wallet signs or spends. Their requests go to wallets alone. */

/** `personal_sign`, `eth_signTypedData_v4`, `solana_signAndSendTransaction`, `signPsbt`; but not `getSignatureStatuses`. */
const named = /(?:^|_)sign(?![a-z])/

/** Signing methods with other names. Solana's `sendTransaction` is none: it sends a signed transaction to a node. */
const others: ReadonlySet<string> = new Set([
  'eth_sendTransaction',
  'wallet_sendCalls',
  'wallet_sendTransaction',
  'wallet_grantPermissions',
  'sendTransfer',
  'ton_sendMessage',
  'stx_transferStx',
  'stx_transferSip10Ft',
  'stx_transferSip9Nft',
  'stx_callContract',
  'stx_deployContract',
])

/** @returns whether the method must not go to a node, approved or not */
export function signs(method: string): boolean {
  return named.test(method) || others.has(method)
}
