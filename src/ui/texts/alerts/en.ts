import type { Area } from '../language.tsx'

const english = {
  /** Next steps, by code. */
  remedies: {
    APKT002: (origin: string) => `Add ${origin} to the project’s allowed domains.`,
    APKT006: () => 'Check the date and time of this device.',
    APKT007: () => 'Set projectId to the id of a project.',
    APKT008: () => 'Set projectId to the id of a project.',
    APKT009: () => 'The project’s service has a fault. It is asked again at the next visit.',
    APKT010: () => 'The project asked too often. It is asked again at the next visit.',
  },
  debug: 'Shown because debug is on.',
  dismiss: 'Dismiss',
}

export type AlertsTexts = typeof english
/** Texts of the bar of alerts for developers. */
export const alertsArea: Area<AlertsTexts> = { name: 'alerts', english }
