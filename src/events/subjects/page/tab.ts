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
} from '../../../runtime/schema/registry.ts'
import { announcedWallet } from '../wallet/installed.ts'
import { moreScreens, screensBefore, shownScreens } from './screen.ts'
import { shownToast } from './toast.ts'

const theme = openField(choice(['light', 'dark', 'system']))

const liveFlag = optional(openField(flag))
/** Features that a host may change while the modal is in use. */
const liveFeatures = /* @__PURE__ */ shape({ allWallets: liveFlag, legalCheckbox: liveFlag, collapseWallets: liveFlag })
/** Those of the account, whose first word the project's configuration may have. */
const liveAccount = /* @__PURE__ */ shape({ receive: liveFlag, send: liveFlag, activity: liveFlag })

export const tabFacts = define({
  /** The page opened: how wide, which theme and language, so that a replay shows the same. */
  'tab.opened': v1({ width: openField(integer), theme, language: openField(text) }),
  'tab.themed': v1({ theme }),
  /** The person or the host chose a language, as a BCP 47 tag. */
  'tab.languageChosen': v1({ language: openField(text) }),
  /** The host's features, by its config or by a later word; those it names. */
  'tab.featured': v1({ features: liveFeatures, account: optional(liveAccount) }),
  'tab.attached': v1({ life: openField(integer) }),
  /** The core died or froze; another one is being started. */
  'tab.coreLost': v1({ reason: openField(text) }),
  /**
   * Everything the page shows, so that its page facts can be read from here on. Written when the page attaches to another log,
   * and from time to time, because retention drops the oldest lines. `life` is that of its core.
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
      account: optional(liveAccount),
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

export type Lasting = {
  width: number
  theme: 'light' | 'dark' | 'system'
  language: string
  otherBuild?: true
  /** of the host, where it names any */
  features?: StateOf<() => typeof liveFeatures>
  account?: StateOf<() => typeof liveAccount>
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
