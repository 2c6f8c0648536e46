import type { ListedWallet } from '../subjects/service/listingFacts.ts'
import { walletLink } from './walletLink.ts'

/** A way to reach a wallet over WalletConnect; `unsupported`: it has a browser extension, which is not in this page. */
export type WayTo = 'mobile' | 'qrcode' | 'web' | 'desktop' | 'unsupported'

/**
 * @param listed the directory's entry of the chosen wallet; without one there is only the code
 * @returns the ways, the first one first. A wallet whose extension is in the page has a row of its own
 * @see reference "views", §6.2
 */
export function platformsOf(listed: ListedWallet | undefined, phone: boolean): readonly WayTo[] {
  if (!listed) return ['qrcode']
  const { mobileLink, webappLink, desktopLink, rdns, chromeStore } = listed
  const found: WayTo[] = []
  if (mobileLink !== undefined && walletLink(mobileLink, '') !== undefined) found.push(phone ? 'mobile' : 'qrcode')
  if (webappLink !== undefined) found.push('web')
  if (desktopLink !== undefined && !phone) found.push('desktop')
  if (!phone && (rdns !== undefined || chromeStore !== undefined)) found.push('unsupported')
  return found.length > 0 ? found : ['qrcode']
}
