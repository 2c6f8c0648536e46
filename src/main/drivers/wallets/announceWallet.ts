/**
 * Announces a wallet to this page.
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function announceWallet(wallet: object, page: EventTarget = window): void {
  const detail = (api: { register(one: object): void }) => api.register(wallet)
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
}
