/** The presale page's settings: its name, sale and featured wallets. */
import { type Addresses, builtSale } from '../config.ts'
import { listedUrls } from './integrity/listedUrls.ts'
import type { PageSettings } from './pageSettings.ts'

const featured = [
  'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
  '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
  '2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0',
  '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
]

/** @returns the settings that differ from a host's; the config is read while the runtime is loaded */
export function presale(addresses: Addresses): Pick<PageSettings, 'ui' | 'host'> {
  const sale = builtSale()
  return {
    ui: {
      appName: 'MAI',
      // Linked once read
      termsUrl: '',
      privacyUrl: '',
      solanaRpcUrl: listedUrls(addresses.solanaRpcUrl)[0] ?? '',
      allWallets: 'SHOW',
      featured,
      ...(sale && { sale }),
    },
    host: async () => (await import('./presaleConfig.ts')).presaleSettings(addresses, featured).host,
  }
}
