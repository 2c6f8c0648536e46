/** Methods by which a wallet signs or spends: what such a request holds is for the person's wallet alone. */

/** `personal_sign`, `eth_signTypedData_v4`, `solana_signAndSendTransaction`, `signPsbt`; but not `getSignatureStatuses`. */
const named = /(?:^|_)sign(?![a-z])/

/** Those whose names do not say so. Solana's `sendTransaction` is not among them: it hands a node what is signed already. */
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

/** @returns whether no chain's node is to be asked this, whoever approved it or not */
export function signs(method: string): boolean {
  return named.test(method) || others.has(method)
}
