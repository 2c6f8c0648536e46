/**
 * Announces a wallet to this page.
 *
 * @returns takes the announcement back
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function announceWallet(wallet: object, page: EventTarget = window): () => void {
  const taken: (() => void)[] = []
  const detail = (api: { register(one: object): () => void }) => taken.push(api.register(wallet))
  page.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
  return () => {
    for (const takeBack of taken) takeBack()
  }
}
