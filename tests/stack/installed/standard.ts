/** The used parts of the Wallet Standard. @see https://github.com/wallet-standard/wallet-standard */
export type StandardAccount = {
  address: string
  publicKey: Uint8Array
  chains: readonly string[]
  features: readonly string[]
  label: string
}

/** A wallet as a page sees it. */
export type StandardWallet = {
  version: '1.0.0'
  name: string
  icon: string
  chains: readonly string[]
  features: Record<string, unknown>
  accounts: readonly StandardAccount[]
}

type Api = { register(...wallets: unknown[]): () => void }

/**
 * Registers wallets with the page, whichever of the two loaded first.
 *
 * @returns unregisters them
 */
export function announce(...wallets: unknown[]): () => void {
  let unregister: (() => void) | undefined
  let over = false
  const callback = (api: Api): void => {
    if (!over) unregister = api.register(...wallets)
  }
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  const onReady = (event: Event): void => callback((event as CustomEvent<Api>).detail)
  window.addEventListener('wallet-standard:app-ready', onReady)
  return () => {
    over = true
    window.removeEventListener('wallet-standard:app-ready', onReady)
    unregister?.()
  }
}
