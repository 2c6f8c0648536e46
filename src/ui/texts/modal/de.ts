import type { ModalTexts } from './en.ts'

export default {
  allWallets: 'Alle Wallets',
  account: 'Konto',
  whatIsAWallet: 'Was ist eine Wallet?',
  receive: 'Empfangen',
  compatibleNetworks: 'Passende Netzwerke',
  partMissing: 'Dieser Teil wurde nicht geladen',
  mayHaveChanged: 'Die Seite hat sich vielleicht geändert. Laden Sie sie neu, wenn das bleibt.',
  offline: 'Sie sind offline.',
  getAWallet: 'Wallet besorgen',
  consent: {
    both: ['Mit dem Verbinden stimmen Sie den ', 'Bedingungen', ' und der ', 'Datenschutzerklärung', ' zu.'],
    terms: ['Mit dem Verbinden stimmen Sie den ', 'Bedingungen', ' zu.'],
    privacy: ['Mit dem Verbinden stimmen Sie der ', 'Datenschutzerklärung', ' zu.'],
  },
  somethingWrong: 'Stimmt etwas nicht?',
  reportFailed: 'Der Bericht konnte nicht gespeichert werden',
  added: 'Neue Wallet hinzugefügt',
  notStarted:
    'Eine Datei dieses Fensters fehlt oder wurde verändert, oder es fällt immer wieder aus. Laden Sie die Seite neu.',
  linkUnread: 'Eine Wallet hat diese Seite mit einer unlesbaren Nachricht geöffnet. Es hat sich nichts geändert.',
  blockedForbidden: 'In diesem Browser darf die Seite nicht im Hintergrund arbeiten. In einem anderen vielleicht.',
  problems: {
    APKT002: 'Ungültige Konfiguration der App',
    APKT006: 'Sitzung abgelaufen',
    APKT007: 'Ungültige Projekt-ID',
    APKT008: 'Projekt-ID fehlt',
    APKT009: 'Fehler des Servers',
    APKT010: 'Zu viele Anfragen',
  },
} satisfies ModalTexts
