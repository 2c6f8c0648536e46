/** The presale page's own config, read and checked like that of any host. */
import { type Addresses, builtSale } from '../config.ts'
import { type HostSettings, type ModalConfig, readModalConfig } from '../embed/config/hostConfig.ts'

/** @returns the page's settings; those for the interface are at hand before this file, in `presale.ts` */
export function presaleSettings(addresses: Addresses, featuredWalletIds: string[]): HostSettings {
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
    ...(sale && { sale: { authority: sale.authority, id: sale.id } }),
    ...(verifyUrl && { walletConnect: { verifyUrl } }),
  }
  const settings = readModalConfig(config, addresses, sentence => console.warn(sentence))
  // The socket is this page's alone: a host reads no sale by itself
  return { ...settings, host: { ...settings.host, ...(sale && { sale }) } }
}
