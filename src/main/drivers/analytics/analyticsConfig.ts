import type { AnalyticsOptions } from '../../../events/analytics/catalogue.ts'
import type { HostFeatures } from '../../../events/subjects/service/project.ts'
import { currentId } from '../../../events/values/networks.ts'
import type { CoreConfig, HostChoice } from '../../../events/wire.ts'
import type { UiConfig } from '../../../ui/react.tsx'

/** @returns the core's analytics for a host's choice; nothing without the address of a service, no events without the feature */
export function analyticsConfig(
  url: string | undefined,
  { analytics: choice = {}, features, networks = [] }: Pick<HostChoice, 'analytics' | 'features' | 'networks'>,
  { allWallets, host }: Pick<UiConfig, 'allWallets' | 'host'>,
): Pick<CoreConfig, 'analytics'> {
  if (!url) return {}
  const { consent = 'given', errorReports = true, themeMode } = choice
  const events = (choice.events ?? true) && features?.analytics !== false
  const analytics = {
    url,
    pageUrl: location.origin + location.pathname,
    terms: { consent, ...(events && { tracks: true as const }), ...(errorReports && { reports: true as const }) },
    options: {
      // The page's own comes before them, once the core knows it
      networks: networks.map(({ caip2 }) => currentId(caip2)),
      ...(themeMode && { themeMode }),
      allWallets,
      ...(host && { recording: host.recording ? ('SHOW' as const) : ('HIDE' as const) }),
      features: { ...featuresTold(features), analytics: events },
    },
  }
  return { analytics }
}

/** @returns the features that the host sets, by the names of its options; a list counts as on unless it is empty */
function featuresTold({ activity, ...features }: HostFeatures = {}): AnalyticsOptions['features'] {
  const lists = ['socials', 'swaps', 'onramp'] as const
  const flags = [
    'allWallets',
    'collapseWallets',
    'email',
    'legalCheckbox',
    'pay',
    'receive',
    'reownBranding',
    'send',
    'smartSessions',
  ] as const
  const told: Record<string, boolean> = activity === undefined ? {} : { history: activity }
  for (const name of flags) if (features[name] !== undefined) told[name] = features[name]
  for (const name of lists) if (features[name] !== undefined) told[name] = features[name].length > 0
  return told
}
