/** This page and its core: page facts. */
import {
  choice,
  define,
  flag,
  id,
  integer,
  lifted,
  list,
  openField,
  optional,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../runtime/schema/registry.ts'
import { announcedWallet, type InstalledView, type InstalledWallet } from './installed.ts'
import { moreScreens, screensBefore, type ScreenView, shownScreens } from './screen.ts'
import { shownToast, type ToastView } from './toast.ts'

const theme = openField(choice(['light', 'dark', 'system']))

const liveFlag = optional(openField(flag))
/** Features that a host may change while the modal is in use. */
const liveFeatures = /* @__PURE__ */ shape({ allWallets: liveFlag, legalCheckbox: liveFlag, collapseWallets: liveFlag })

export const tabFacts = define({
  /** The page opened: how wide, which theme and language, so that a replay shows the same. */
  'tab.opened': v1({ width: openField(integer), theme, language: openField(text) }),
  'tab.themed': v1({ theme }),
  /** The person or the host chose a language, as a BCP 47 tag. */
  'tab.languageChosen': v1({ language: openField(text) }),
  /** The host's features, by its config or by a later word; those it names. */
  'tab.featured': v1({ features: liveFeatures }),
  'tab.attached': v1({ life: openField(integer) }),
  /** The core died or froze; another one is being started. */
  'tab.coreLost': v1({ reason: openField(text) }),
  /**
   * Everything the page shows, so that its lane can be read from here on. Written when the page attaches to another log, and
   * from time to time, because retention drops the oldest lines. `life` is that of its core.
   */
  'tab.restated': lifted(
    {
      width: openField(integer),
      theme,
      language: openField(text),
      life: optional(openField(integer)),
      otherBuild: openField(flag),
      screen: shape(shownScreens),
      installed: list(shape(announcedWallet)),
      identities: optional(list(shape({ walletKey: openField(id), identity: openField(id) }))),
      toast: optional(shape(shownToast)),
      features: optional(liveFeatures),
    },
    ({ screen, ...rest }) => ({ ...rest, screen: screensBefore(screen) }),
    moreScreens,
  ),
  /**
   * Another tab has the core, and this one cannot share it: that tab has another build, or this browser has no locks, so that
   * one tab works. Without `why`: written before tabs shared a core.
   */
  'tab.elsewhere': v1({ why: optional(openField(choice(['otherBuild', 'oneTab']))) }),
  /** A tab with another build of this page was opened beside this one, or closed. */
  'tab.otherBuild': v1({ open: openField(flag) }),
  /** Part of this page is gone from the server; only a reload helps. */
  'tab.outdated': v1({}),
  /**
   * This page has no core; `why` by name, and in English words for developers; `reload` when a reload may help. Without `why`:
   * written before the page spoke several languages.
   */
  'tab.blocked': v1({
    message: openField(text),
    reload: optional(openField(flag)),
    why: optional(openField(choice(['gaveUp', 'forbidden', 'altered']))),
  }),
})
export type TabFact = UnionOf<typeof tabFacts>

type Lasting = {
  width: number
  theme: 'light' | 'dark' | 'system'
  language: string
  otherBuild?: true
  /** of the host, where it names any */
  features?: StateOf<() => typeof liveFeatures>
}
export type TabView = Lasting &
  (
    | { phase: 'starting' }
    | { phase: 'attached'; life: number }
    | { phase: 'lost'; reason: string }
    | { phase: 'elsewhere'; why?: 'otherBuild' | 'oneTab' }
    | { phase: 'outdated' }
    | { phase: 'blocked'; message: string; reload?: boolean; why?: 'gaveUp' | 'forbidden' | 'altered' }
  )

/** The parts of the model that a restated page replaces. */
type Restated = { tab: TabView; screen: ScreenView; toast: ToastView; installed: InstalledView }

export function foldTab(model: Restated, fact: TabFact): void {
  const kept = lasting(model.tab)
  // Only a reload helps a page whose parts are gone from the server
  const lastWord = model.tab.phase === 'outdated'
  switch (fact.type) {
    case 'tab.opened':
      model.tab = { ...fact.data, phase: 'starting' }
      return
    case 'tab.themed':
      model.tab.theme = fact.data.theme
      return
    case 'tab.languageChosen':
      model.tab.language = fact.data.language
      return
    case 'tab.featured':
      model.tab.features = { ...kept.features, ...fact.data.features }
      return
    case 'tab.attached':
      if (lastWord || (model.tab.phase === 'attached' && model.tab.life === fact.data.life)) return
      model.tab = { ...kept, phase: 'attached', life: fact.data.life }
      return
    case 'tab.coreLost':
      if (!lastWord && model.tab.phase !== 'lost') model.tab = { ...kept, phase: 'lost', reason: fact.data.reason }
      return
    case 'tab.restated':
      return restated(model, fact.data)
    case 'tab.elsewhere':
      if (lastWord || (model.tab.phase === 'elsewhere' && model.tab.why === fact.data.why)) return
      model.tab = { ...kept, phase: 'elsewhere', ...fact.data }
      return
    case 'tab.otherBuild':
      if (fact.data.open) model.tab.otherBuild = true
      else delete model.tab.otherBuild
      return
    case 'tab.outdated':
      if (!lastWord) model.tab = { ...kept, phase: 'outdated' }
      return
    case 'tab.blocked':
      if (!lastWord && model.tab.phase !== 'blocked') model.tab = { ...kept, phase: 'blocked', ...fact.data }
  }
}

/** @returns what outlives every change of the core */
function lasting({
  width,
  theme,
  language,
  otherBuild,
  features,
}: Omit<Lasting, 'otherBuild'> & { otherBuild?: boolean }): Lasting {
  return {
    width,
    theme,
    language,
    ...(otherBuild && { otherBuild: true as const }),
    ...(features && { features }),
  }
}

function restated(model: Restated, data: Extract<TabFact, { type: 'tab.restated' }>['data']): void {
  const { life, screen, toast } = data
  const installed = withIdentities(data.installed, data.identities)
  const kept = lasting(data)
  const tab: TabView =
    model.tab.phase === 'outdated'
      ? { ...kept, phase: 'outdated' }
      : life === undefined
        ? { ...kept, phase: 'starting' }
        : { ...kept, phase: 'attached', life }
  // The live page shows all this already: equal parts stay the same objects, so that nothing redraws
  if (isOther(model.tab, tab)) model.tab = tab
  // Later facts write into the history, and must not change this fact
  if (isOther(model.screen, screen)) model.screen = { ...screen, history: [...screen.history] }
  if (isOther(model.installed, installed)) model.installed = installed
  if (isOther(model.toast, toast ?? null)) model.toast = toast ?? null
}

function withIdentities(
  installed: readonly InstalledWallet[],
  identities: readonly { walletKey: string; identity: string }[] = [],
): InstalledView {
  const known = new Map(identities.map(({ walletKey, identity }) => [walletKey, identity]))
  return installed.map(wallet => {
    const identity = known.get(wallet.walletKey)
    return identity === undefined ? wallet : { ...wallet, identity }
  })
}

function isOther(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}
