import { networks } from '../../events/values/networks.ts'
import type { CoreConfig, HostChoice } from '../../events/wire.ts'
import type { UiConfig } from '../../ui/react.tsx'

/** @returns the core's analytics for a host's choice; nothing without the address of a service, no events without the feature */
export function analyticsConfig(
  url: string | undefined,
  { analytics: choice = {}, features }: Pick<HostChoice, 'analytics' | 'features'>,
  { allWallets, host }: Pick<UiConfig, 'allWallets' | 'host'>,
): Pick<CoreConfig, 'analytics'> {
  if (!url) return {}
  const { consent = 'given', errorReports = true } = choice
  const events = (choice.events ?? true) && features?.analytics !== false
  const analytics = {
    url,
    pageUrl: location.origin + location.pathname,
    terms: { consent, ...(events && { tracks: true as const }), ...(errorReports && { reports: true as const }) },
    options: {
      networks: networks.filter(({ test }) => !test).map(({ caip2 }) => caip2),
      allWallets,
      ...(host && { recording: host.recording ? ('SHOW' as const) : ('HIDE' as const) }),
      features: { analytics: events },
    },
  }
  return { analytics }
}
