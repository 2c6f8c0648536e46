/** Public names of methods, events and namespaces. Any other name is a wallet's or host's own, and may say anything. */
const names: ReadonlySet<string> = new Set(
  `
  chainChanged accountsChanged connect disconnect message solana_signTransaction solana_signAllTransactions
  solana_signAndSendTransaction solana_signMessage solana_getAccounts solana_requestAccounts personal_sign eth_sign
  eth_signTransaction eth_sendTransaction eth_sendRawTransaction eth_signTypedData eth_signTypedData_v3
  eth_signTypedData_v4 eth_accounts eth_requestAccounts eth_chainId eth_call eth_estimateGas eth_getBalance
  eth_blockNumber wallet_addEthereumChain wallet_switchEthereumChain wallet_getPermissions wallet_requestPermissions
  wallet_registerOnboarding wallet_watchAsset wallet_scanQRCode wallet_getCapabilities wallet_sendCalls
  wallet_getCallsStatus wallet_showCallsStatus wallet_checkout wallet_pay cosmos_getAccounts cosmos_signDirect
  cosmos_signAmino polkadot_signTransaction polkadot_signMessage near_signIn near_signOut near_getAccounts
  near_signTransaction tron_signTransaction tron_signMessage sui_signTransaction sui_signPersonalMessage solana
  eip155 cosmos polkadot bip122 near tron tezos stacks sui ton algorand
`
    .trim()
    .split(/\s+/),
)

/** Chains are public by form: `eip155` numbers, and genesis hashes cut to 32 characters. */
const chain = /^(?:eip155:[0-9]{1,10}|solana:[1-9A-HJ-NP-Za-km-z]{32})$/

/** @returns whether a name is public */
export function isPublicName(name: string): boolean {
  return name === '' || names.has(name) || chain.test(name)
}
