/** Acts of the gallery of the modal beside its facts: presses and typed texts in a state, and another kind of page around it. */

const realMedia = window.matchMedia.bind(window)
const realTimeout = window.setTimeout
const handheldMedia = '(hover: none) and (pointer: coarse)'

/** Ends what a state changed of the page itself. */
export function resetPage(): void {
  window.matchMedia = realMedia
  window.setTimeout = realTimeout
}

/** From now on the page is a phone's. */
export function onPhone(): void {
  window.matchMedia = query => (query === handheldMedia ? realMedia('all') : realMedia(query))
}

/** From now on a silence of ten seconds is over at once. */
export function inSilence(): void {
  const soon = (run: () => void, ms = 0) => realTimeout(run, ms === 10_000 ? 0 : ms)
  window.setTimeout = soon as unknown as typeof setTimeout
}

/** Text of every search in the gallery. */
export const searched = 'near'

const search = (testId: string) => async () => {
  await type(testId, searched)
  await appeared('.empty')
}

/** Acts of a person in a state, by its name; each is over once the screen shows what comes of it. */
export const actsIn: Record<string, () => Promise<void>> = {
  allNoneFound: search('wallet-search'),
  allSearchFailed: search('wallet-search'),
  allSearching: async () => {
    await type('wallet-search', searched)
    await appeared('.all-wallets-searching')
  },
  allNoneCertified: async () => {
    await press('.all-wallets-certified')
    await appeared('.empty')
  },
  allNoneCertifiedFound: async () => {
    await press('.all-wallets-certified')
    await search('wallet-search')()
  },
  networksNoneFound: search('network-search'),
  sendTokensNone: search('send-search'),
  namedLike: async () => void (await appeared('.row-sub')),
  connectingQuiet: async () => void (await appeared('[role="timer"]')),
  switchQuiet: async () => void (await appeared('[data-testid="try-again"]')),
  walletsLeaving: () => press('[data-testid="disconnect-all"]'),
  signInCopied: () => press('[data-testid="copy-sign-in"]'),
  signInNotCopied: () => press('[data-testid="copy-sign-in"]'),
  signInOpen: async () => void (await appeared('[data-testid="open-wallet"]')),
  waitingWallet: async () => void (await appeared('[data-testid="open-wallet"]')),
}

async function press(selector: string): Promise<void> {
  const control = await appeared<HTMLElement>(selector)
  control.click()
}

/** Types as a person does: React hears of it, too. */
async function type(testId: string, text: string): Promise<void> {
  const field = await appeared<HTMLInputElement>(`[data-testid="${testId}"]`)
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
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
