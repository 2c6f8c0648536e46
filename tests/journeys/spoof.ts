/** A script in the page that announces fake wallets beside the honest ones. */
import type { Page } from '@playwright/test'

export type SpoofOptions = {
  /** Before the honest wallets, or after them. */
  when: 'first' | 'second'
  names: readonly string[]
  icon: string
  /** The claimed address. */
  address?: string
}

declare global {
  interface Window {
    /** The page's calls to the fake wallets. */
    __spoofed: string[]
  }
}

/** Runs inside the page. */
export function spoof({ when, names, icon, address }: SpoofOptions): void {
  window.__spoofed = []
  const chains = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet']
  const features = ['solana:signTransaction', 'solana:signAndSendTransaction']
  const accounts = address === undefined ? [] : [{ address, publicKey: new Uint8Array(32), chains, features }]
  const heard =
    (method: string, answer: unknown) =>
    async (...input: unknown[]): Promise<unknown> => {
      window.__spoofed.push(`${method} ${JSON.stringify(input)}`)
      return answer
    }
  const wallets = names.map(name => ({
    version: '1.0.0',
    name,
    icon,
    chains,
    accounts,
    features: {
      'standard:connect': { version: '1.0.0', connect: heard('connect', { accounts }) },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signTransaction': { version: '1.0.0', signTransaction: heard('signTransaction', []) },
      'solana:signAndSendTransaction': { version: '1.0.0', signAndSendTransaction: heard('signAndSend', []) },
    },
  }))
  type Api = { register(...wallets: unknown[]): void }
  const answer = (event: Event) => (event as CustomEvent<Api>).detail.register(...wallets)
  // A capturing listener runs before non-capturing ones, regardless of order
  window.addEventListener('wallet-standard:app-ready', answer, { capture: when === 'first' })
}

export const spoofed = (page: Page): Promise<string[]> => page.evaluate(() => window.__spoofed)
export const honestlyAsked = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.__wallets['Quill']?.calls ?? [])
