import { useEffect } from 'react'
import { isPhone } from '../../isPhone.ts'
import { usePrepared } from './prepared.ts'

type OpenWallet = typeof import('./openWallet.ts')['openWallet']

let opener: OpenWallet | undefined

async function loadOpener(): Promise<void> {
  opener ??= (await import('./openWallet.ts')).openWallet
}

/** While a list of wallets is shown on a phone: has all at hand that a press needs to open one at once. */
export function useReadyPhone(): void {
  usePrepared()
  useEffect(() => {
    // Without its file the press leads to the wallet's screen, which says so
    if (isPhone()) loadOpener().catch(() => undefined)
  }, [])
}

/** @returns the function that opens a wallet of this phone; undefined until it is loaded */
export function phoneOpener(): OpenWallet | undefined {
  return opener
}
