/** The modal for a host's page. Everything visible is in a shadow root, so that its styles and the page's stay apart. */
import { shownScreen } from '../../events/subjects/page/screenFold.ts'
import { Fault } from '../../runtime/failure.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { ConnectionNews } from '../../ui/notices/ConnectionNews.tsx'
import { ModalView } from '../../ui/modal/ModalView.tsx'
import kit from '../../ui/styles/kit.css?inline'
import modal from '../../ui/styles/modal.css?inline'
import tokens from '../../ui/styles/tokens.css?inline'
import root from '../../ui/styles/embed.css?inline'
import { builtAddresses } from '../config.ts'
import { Direction } from './Direction.tsx'
import { callHandlers } from './host.ts'
import { type HostSettings, type ModalConfig, readModalConfig } from './config/hostConfig.ts'
import type { HostModal } from './hostModal.ts'
import { keepOpen } from './keepOpen.ts'
import { handleOf, type SharedModal, shareModal } from './sharedModal.ts'
import { sheetsOf } from './sheetsOf.ts'
import { wearMode, wearProperties } from './theme.ts'
import { afterPaint } from '../page/afterPaint.ts'
import { browserLanguage, loadRuntime, type PreparedPage, preparePage } from '../page/page.tsx'
import { later } from '../../runtime/later.ts'
import type { UiConfig } from '../../ui/react.tsx'
import { addSurface, languageOf, readTexts, textsIn } from '../../ui/texts/language.tsx'
import { modalArea } from '../../ui/texts/modal/en.ts'
import { modalTexts } from '../../ui/texts/surfaces/surfaces.ts'

const elementName = 'mai-modal'

/** The modal of this page. */
let shared: Started | undefined

/** A started modal and the settings of its first caller. */
type Started = {
  modal: SharedModal
  settings: HostSettings
  /** Shows an element again that a script of the page removed. @param place where an embedded one stands then */
  putBack(place: Element | undefined): void
}

/**
 * Creates the modal of a page; nothing of it is visible before `open`, unless it is embedded. Called again, it gives another
 * handle on the same modal, with listeners of its own: the config of the first call holds, and the console names what differs.
 *
 * @throws Fault `bad_input` for a strict key's value, `busy` when the page's modal has another project, sale or service, or is
 *   another copy's, `unsupported` when the browser or the page's address does not allow it
 */
export function createModal(config: ModalConfig): HostModal {
  const tell = (sentence: string) => console.warn(sentence)
  const settings = readModalConfig(config, builtAddresses(), tell)
  const problem = hostProblem()
  if (problem !== undefined) throw new Fault('unsupported', problem)
  if (shared) {
    compare(shared.settings, settings, tell)
    shared.putBack(settings.embedded)
  } else if (document.querySelector(elementName))
    throw new Fault(
      'busy',
      'createModal expected no other copy of the modal in this page: call destroy() of the one before',
    )
  const isFirst = !shared
  shared ??= startModal(settings)
  if (isFirst) void tellConflicts(settings, tell)
  return handleOf(shared.modal)
}

/** Keys of the host's own objects, which may hold each other. */
const withoutObjects = (key: string, value: unknown) =>
  key === 'embedded' || key === 'connectors' || key === 'read' ? undefined : value

/** @throws Fault `busy` when two configs mean another project, sale or services */
function compare(first: HostSettings, second: HostSettings, tell: (sentence: string) => void): void {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a, withoutObjects) !== JSON.stringify(b, withoutObjects)
  if (differ([first.addresses, first.host.sale], [second.addresses, second.host.sale]))
    throw new Fault('busy', 'createModal expected the project, sale and addresses of this page’s modal, got others')
  if (first.embedded !== second.embedded || differ(first, second))
    tell('createModal: this page has a modal already, the config of the first call holds')
}

/** For the console only, so it waits for its file. */
async function tellConflicts({ read }: HostSettings, tell: (sentence: string) => void): Promise<void> {
  const part = await import('./config/configConflicts.ts').catch(() => undefined)
  for (const sentence of part?.configConflicts(read) ?? []) tell(sentence)
}

/** Starts the page's modal and puts its element into the document. */
function startModal(settings: HostSettings): Started {
  // A host may create the modal in the press that opens it: wallets that are here need no worker
  if (settings.shadowRoot === 'closed') ahead = undefined
  const { prepared, element, place, drawFor } = ahead ?? prepareModal(settings.shadowRoot)
  ahead = undefined
  const { addresses, themeMode } = settings
  const page = prepared.start(settings, afterPaint)
  const { store, surroundings } = page
  wearMode(element, themeMode)
  wearProperties(element, settings.themeProperties)
  drawFor(settings.ui)
  const put = (at: Element | undefined) => (at ?? document.body ?? document.documentElement).append(element)
  put(settings.embedded)
  let isEnded = false
  surroundings.dispatch({ type: 'tab.themed', data: { theme: themeMode } })
  if (settings.live) surroundings.dispatch({ type: 'tab.featured', data: { features: settings.live } })
  // In a host's page this sentence has no place but the modal
  const tellNotStarted = (why: 'notStarted' | 'blockedForbidden') => {
    const message = textsIn(modalArea, languageOf(store.model().tab.language))[why]
    const data = { toastId: 'not-started', variant: 'error', message, autoClose: false } as const
    if (!isEnded) surroundings.dispatch({ type: 'toast.shown', data })
  }
  const unwatch = store.subscribe(() => {
    const { tab } = store.model()
    if (tab.phase !== 'blocked' && tab.phase !== 'outdated') return
    unwatch()
    // Where no reload helps, the reason is the browser's
    tellNotStarted(tab.phase === 'blocked' && !tab.reload ? 'blockedForbidden' : 'notStarted')
  })
  const beside = later('signing in', async () => (await import('../signIn/beside.tsx')).drawBeside(page, place))
  page.started.then(
    running => {
      running.walletWaits(requestId => {
        const show = async () => (await beside.get()).showWaiting(requestId)
        void show().catch(() => undefined)
      })
    },
    () => tellNotStarted('notStarted'),
  )
  const stopOpening = settings.embedded ? keepOpen(page) : () => undefined

  const modal = shareModal({
    page,
    element,
    addresses,
    themeMode,
    forHosts: {
      beside,
      startProvider: async options =>
        (await import('../provider/startProvider.ts')).startProvider(page, addresses, options),
    },
    tellAccount: (event, account) => callHandlers(window, event, account),
    end() {
      isEnded = true
      shared = undefined
      unwatch()
      stopOpening()
      page.close()
      element.remove()
    },
  })
  return {
    modal,
    settings,
    putBack(at) {
      if (element.isConnected) return
      put(settings.embedded && (at ?? settings.embedded))
      // Out of the document it left the top layer
      if (shownScreen(store.model()))
        place.querySelector<HTMLElement>('.sheet-overlay:not(.is-laid-out)')?.showPopover?.()
    },
  }
}

/** A modal that no host has asked for yet: drawn, in no document. */
type Prepared = {
  prepared: PreparedPage
  element: HTMLElement
  /** for all that is drawn */
  place: HTMLElement
  /** Draws the modal, unless what it shows at first is drawn already. */
  drawFor(ui: UiConfig): void
}

let ahead: Prepared | undefined
addSurface(modalTexts)

/** Renders the modal ahead in an idle page and loads its runtime, so that a host that creates it in the press waits for less. */
export function prepareAhead(): void {
  if (shared || ahead || document.querySelector(elementName) || hostProblem() !== undefined) return
  ahead = prepareModal()
  ahead.drawFor(usualUi)
  void loadRuntime().catch(() => undefined)
  void readTexts(languageOf(browserLanguage()))
}

/** The choices of most hosts; others draw anew. */
const usualUi: UiConfig = {
  appName: '',
  termsUrl: '',
  privacyUrl: '',
  solanaRpcUrl: '',
  allWallets: 'SHOW',
  featured: [],
  host: { recording: false },
}

/** The element for the host's page, with our styles, and the place for all that is drawn. */
function prepareModal(mode: ShadowRootMode = 'open'): Prepared {
  const element = document.createElement(elementName)
  const shadow = element.attachShadow({ mode })
  shadow.adoptedStyleSheets = sheetsOf(tokens, kit, modal, root)
  const place = document.createElement('div')
  place.className = 'embed'
  shadow.append(place)
  const prepared = preparePage(usualUi)
  const drawn = place.appendChild(document.createElement('div'))
  let shown: string | undefined
  return {
    prepared,
    element,
    place,
    drawFor({ allWallets, termsUrl, privacyUrl, host }) {
      const key = JSON.stringify([allWallets, termsUrl, privacyUrl, host], withoutObjects)
      if (key === shown) return
      shown = key
      prepared.draw(
        drawn,
        <Boundary key={key} instead={() => null}>
          <Direction root={place} />
          <ConnectionNews onlyOpen />
          <ModalView />
        </Boundary>,
      )
    },
  }
}

/** @returns why a modal cannot work in this page, one sentence; undefined when it can */
function hostProblem(): string | undefined {
  if (!isSecureContext) return `createModal expected a page over https or on localhost, got ${location.origin}`
  if (!('locks' in navigator) || !CSS.supports('color', 'light-dark(#000, #fff)'))
    return 'createModal expected a browser with locks and light-dark(), this one is too old'
  return undefined
}
