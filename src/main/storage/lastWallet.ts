/** The wallet that was connected last over WalletConnect, and the link that opens it. */
import type { Model } from '../../events/app.ts'
import type { Connection } from '../../events/subjects/wallet/connection.ts'
import type { ListedWallet } from '../../events/subjects/service/listingFacts.ts'
import type { SessionView } from '../../events/subjects/session/session.ts'
import { own } from '../../runtime/schema/own.ts'
import { requestLink } from '../../worker/walletconnect/link/deepLink.ts'
import type { ChosenLinks } from './chosenLinks.ts'
import type { DeepLinkChoice, StoredWallet } from './shapes.ts'

const isDirectoryId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The wallet of the directory that was connected last: an installed one has its name in place of an id. */
export function recentWallet({ connection, listing }: Model): StoredWallet | undefined {
  const recent = connection.recent.find(({ walletId }) => isDirectoryId(walletId))
  if (!recent) return undefined
  const isIt = ({ walletId }: ListedWallet) => walletId === recent.walletId
  const listed = [listing.featured, listing.top?.wallets ?? [], listing.all.wallets, listing.found.wallets]
    .flat()
    .find(isIt)
  const { walletId: id, name } = recent
  return { id, name, ...(listed && directoryFields(listed)) }
}

function directoryFields(listed: ListedWallet): Omit<StoredWallet, 'id' | 'name'> {
  const fields = {
    homepage: listed.homepage,
    image_id: listed.imageId,
    mobile_link: listed.mobileLink,
    desktop_link: listed.desktopLink,
    webapp_link: listed.webappLink,
    app_store: listed.appStore,
    play_store: listed.playStore,
    chrome_store: listed.chromeStore,
    rdns: listed.rdns,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The link of the wallet that was reached by it: the active connection's, else that of the newest session. */
export function deepLinkOf(
  sessions: SessionView,
  links: ChosenLinks,
  active: Connection | undefined,
): DeepLinkChoice | undefined {
  const reached = Object.values(sessions)
    .filter(one => !one.disableDeepLink && opensWallet(own(links, one.pairingTopic)))
    .sort((one, other) => other.settledAt - one.settledAt)
  const chosen = reached.find(({ sessionTopic }) => sessionTopic === active?.sessionTopic) ?? reached[0]
  const href = chosen && own(links, chosen.pairingTopic)
  return chosen && href !== undefined ? { href, name: chosen.peer.name } : undefined
}

function opensWallet(href: string | undefined): href is string {
  try {
    return href !== undefined && requestLink(href, 0, '') !== ''
  } catch {
    return false
  }
}
