import type { AlertsTexts } from './en.ts'

export default {
  remedies: {
    APKT002: (origin: string) => `Füge ${origin} zu den erlaubten Domains des Projekts hinzu.`,
    APKT006: () => 'Prüfe Datum und Uhrzeit dieses Geräts.',
    APKT007: () => 'Setze projectId auf die ID eines Projekts.',
    APKT008: () => 'Setze projectId auf die ID eines Projekts.',
    APKT009: () => 'Der Dienst des Projekts hat eine Störung. Er wird beim nächsten Besuch erneut gefragt.',
    APKT010: () => 'Das Projekt hat zu oft gefragt. Beim nächsten Besuch wird erneut gefragt.',
  },
  debug: 'Sichtbar, weil debug an ist.',
  dismiss: 'Ausblenden',
} satisfies AlertsTexts
