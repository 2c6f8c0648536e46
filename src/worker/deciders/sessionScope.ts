import type { Namespaces } from '../../events/fields.ts'
import type { WalletFeature } from '../../events/subjects/connection.ts'
import { isSolanaAddress } from '../../events/values/address.ts'
import { accountsOn, approvedChains } from '../walletconnect/namespaces.ts'

/** @returns what a session's wallet can be asked for on Solana */
export function featuresOf(namespaces: Namespaces): WalletFeature[] {
  const methods = new Set(
    Object.entries(namespaces).flatMap(([key, part]) => (key.startsWith('solana') ? part.methods : [])),
  )
  const features: WalletFeature[] = []
  if (methods.has('solana_signTransaction')) features.push('signTransaction')
  if (methods.has('solana_signAndSendTransaction')) features.push('signAndSendTransaction')
  if (methods.has('solana_signMessage')) features.push('signMessage')
  return features
}

/** @returns the Solana addresses of a session, first one first, without repeats */
export function solanaAccounts(namespaces: Namespaces): string[] {
  const found = approvedChains(namespaces)
    .filter(chain => chain.startsWith('solana:'))
    .flatMap(chain => accountsOn(namespaces, chain))
    .map(account => account.slice(account.lastIndexOf(':') + 1))
  return [...new Set(found)].filter(isSolanaAddress)
}
