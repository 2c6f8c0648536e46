/** Ways to a wallet on this phone, and opening it within a press. */
import type { WalletRef } from '../../../events/schema/fields.ts'
import { networkOfGenesis } from '../../../events/values/networks.ts'
import { carriedIn } from '../../carriedFragment.ts'
import type { Surroundings, WalletLink } from '../../react.tsx'
import { isPhone } from '../../isPhone.ts'
import { listedOf } from '../list/directory.ts'
import { walletLink } from '../../../events/values/walletLink.ts'
import { handheld } from './handheld.ts'
import { browserAddress } from './inAppBrowser.ts'
import { opensFirst, preparedCode } from './prepared.ts'

/** Opens the page in the wallet's own browser, or opens the wallet's app with a code. */
type PhoneWay = { by: 'browser'; url: string } | { by: 'app'; link: string }

/** @returns the way to a wallet that is not in this page; undefined on other devices and for wallets without a link */
export function phoneWay({ store }: Surroundings, wallet: WalletRef): PhoneWay | undefined {
  if (!isPhone()) return undefined
  const { network, listing } = store.model()
  const { href, origin } = location
  const chain = network.phase === 'identified' ? networkOfGenesis(network.genesisHash).caip2.split(':')[1] : undefined
  const fragment = carriedIn(store)
  const page = fragment === undefined ? href : `${href.split('#')[0]}#${fragment}`
  const listed = listedOf(listing, wallet)
  const url = browserAddress(
    listed?.walletId ?? wallet.walletId,
    { page, origin, system: handheld().system, chain },
    window,
  )
  if (url !== undefined) return { by: 'browser', url }
  const link = listed?.mobileLink
  return link === undefined ? undefined : { by: 'app', link }
}

/** @returns the window a wallet's link belongs in: the whole tab from a frame, a new one in Telegram, else this one */
export function linkTarget(): WalletLink['target'] {
  return handheld().isTelegram ? '_blank' : window.top === window ? '_self' : '_top'
}

/** @returns the link that opens an app with a code, as this device's window reads it */
export function codeLink(link: string, uri: string): string | undefined {
  const { system, isTelegram } = handheld()
  return walletLink(link, uri, isTelegram && system === 'android')
}

/** Opens a wallet within the press on its row: its browser at once, its app when the code is here already. */
export function openWallet(surroundings: Surroundings, wallet: WalletRef): void {
  const { store, command, open } = surroundings
  const way = phoneWay(surroundings, wallet)
  if (!way) return
  if (way.by === 'browser') return open({ url: way.url, target: linkTarget() })
  const code = preparedCode(store)
  const url = code && codeLink(way.link, code.uri)
  if (!code || url === undefined) return
  command({ type: 'connection.connectWalletConnect', data: { wallet, share: true } })
  command({ type: 'link.choose', data: { pairingTopic: code.topic, link: way.link } })
  opensFirst(store, code.topic, `${wallet.walletId} mobile`)
  open({ url, target: linkTarget() })
}
