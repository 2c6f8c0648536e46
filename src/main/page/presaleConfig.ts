/** The presale page's own config, read and checked like that of any host. */
import type { HostChoice } from '../../events/wire.ts'
import { type Addresses, builtSale } from '../config.ts'
import { type ModalConfig, readModalConfig } from '../embed/hostConfig.ts'

/** @returns the choices for the core */
export function presaleChoice(addresses: Addresses, featuredWalletIds: string[]): HostChoice {
  const sale = builtSale()
  const verifyUrl = import.meta.env.VITE_VERIFY_URL
  const config: ModalConfig = {
    // A build without an id goes on: the modal says so
    projectId: addresses.projectId || 'none',
    metadata: {
      name: 'MAI presale',
      description: 'Buy MAI in its presale',
      url: location.origin,
      icons: [new URL('icon.svg', document.baseURI).href],
    },
    featuredWalletIds,
    allWallets: 'SHOW',
    features: { analytics: true, email: false, socials: false, onramp: false },
    ...(sale && { sale }),
    ...(verifyUrl && { walletConnect: { verifyUrl } }),
  }
  return readModalConfig(config, addresses, sentence => console.warn(sentence)).host
}
