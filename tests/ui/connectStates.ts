/** Ways to a chosen wallet, and searches of lists, as facts and typed texts, for the gallery of the modal. */
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import type { ListedWallet } from '../../src/events/subjects/service/listingFacts.ts'
import { listed, opened, paired, read, requested, type Stage } from './modalStage.ts'

const wallet = { walletId: 'id-Torch', name: 'Torch' }
const homepage = 'https://torch.example'
const torch = (ways: Partial<ListedWallet>) => listed('Torch', { homepage, ...ways })
const mobileLink = 'torch://'
const webappLink = 'https://app.torch.example'
const desktopLink = 'torch-desktop://'

/** The code of this wallet is here. */
const chosen = (ways: Partial<ListedWallet>) => (on: Stage) => {
  on.facts(...read([torch(ways)]), { type: 'relay.connected', data: {} })
  on.facts(requested('walletConnect', wallet.name, wallet.walletId), paired('7f'.repeat(32)))
  on.page(opened(), { type: 'screen.shown', data: { screen: { name: 'WalletConnect', wallet } } })
}

const realMedia = window.matchMedia.bind(window)
const handheldMedia = '(hover: none) and (pointer: coarse)'

/** Ends what a state changed of the page itself. */
export function resetPage(): void {
  window.matchMedia = realMedia
}

const allWallets: PageFact = { type: 'screen.shown', data: { screen: { name: 'AllWallets' } } }
const searched = 'near'

/** The directory, which answers the search with this fact. */
const answering = (answer: CoreSideFact) => (on: Stage) => {
  on.facts(...read([torch({ mobileLink }), listed('Phantom'), listed('Solflare')]))
  on.page(opened(), allWallets)
  on.surroundings.command = ({ type }) => {
    if (type === 'listing.read') on.facts({ type: 'listing.asked', data: { page: 1, search: searched } }, answer)
  }
}

export const connectStates: Record<string, (on: Stage) => void> = {
  ways: chosen({ mobileLink, webappLink, desktopLink, chromeStore: 'https://chromewebstore.google.com/detail/torch' }),
  wayWeb: chosen({ webappLink }),
  wayDesktop: chosen({ desktopLink }),
  wayBrowser: chosen({ chromeStore: 'https://chromewebstore.google.com/detail/torch' }),
  wayPhone: on => {
    window.matchMedia = query => (query === handheldMedia ? realMedia('all') : realMedia(query))
    chosen({ mobileLink })(on)
  },
  allNoneFound: answering({ type: 'listing.read', data: { page: 1, search: searched, count: 0, wallets: [] } }),
  allSearchFailed: answering({
    type: 'listing.failed',
    data: { page: 1, search: searched, failure: { code: 'unreachable', message: 'no answer' } },
  }),
}

/** Texts that are typed into the field of a state, by its test id; an empty or failed list then stands there. */
export const typedTexts: Record<string, { testId: string; text: string }> = {
  allNoneFound: { testId: 'wallet-search', text: searched },
  allSearchFailed: { testId: 'wallet-search', text: searched },
  networksNoneFound: { testId: 'network-search', text: searched },
}

/** Types as a person does: React hears of it, too. Resolves once the list says that it has nothing to show. */
export async function typeText({ testId, text }: { testId: string; text: string }): Promise<void> {
  const field = await appeared<HTMLInputElement>(`[data-testid="${testId}"]`)
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await appeared('.empty')
}

function appeared<E extends HTMLElement>(selector: string): Promise<E> {
  return new Promise(resolve => {
    const look = () => {
      const found = document.querySelector<E>(selector)
      if (!found) return
      watch.disconnect()
      resolve(found)
    }
    const watch = new MutationObserver(look)
    watch.observe(document.body, { subtree: true, childList: true })
    look()
  })
}
