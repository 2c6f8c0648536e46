import type { SignInTexts } from './en.ts'

const safe = 'Eine Unterschrift bewegt nichts und kostet nichts.'

export default {
  signIn: 'Anmelden',
  codeLabel: 'QR-Code zum Anmelden mit einer Wallet',
  newCode: 'Neuer Code',
  copyLink: 'Link kopieren',
  linkCopied: 'Link kopiert',
  linkNotCopied: 'Der Link wurde nicht kopiert',
  openYours: 'Öffnen Sie Ihre Wallet',
  requestWaits: 'In Ihrer Wallet wartet eine Anfrage. Beantworten Sie sie dort und kommen Sie dann zurück.',
  states: {
    scan: ['Mit der Wallet auf dem Telefon scannen', safe],
    ranOut: ['Dieser Code ist abgelaufen', 'Eine Wallet, die ihn schon hat, kann noch unterschreiben.'],
    done: ['Sie sind angemeldet', 'Die Unterschrift passt zur Anfrage.'],
    answered: ['Ihre Wallet hat geantwortet', 'Die Unterschrift wird geprüft.'],
    unsupported: [
      'Ihre Wallet möchte sich stattdessen verbinden',
      'Sie kennt diese Anmeldung nicht. Stimmen Sie dort zu.',
    ],
    delivered: ['Melden Sie sich in Ihrer Wallet an', `Sie hat die Anfrage. ${safe}`],
    opening: ['Ihre Wallet wird geöffnet', safe],
    making: ['Code wird erstellt', safe],
    declined: ['Sie haben abgelehnt', 'Es wurde nichts unterschrieben.'],
    noAnswer: [
      'Die Wallet hat nicht geantwortet',
      'Die Anfrage ist abgelaufen. Eine spätere Antwort wird nicht verwendet.',
    ],
    noFit: ['Diese Unterschrift passt nicht', 'Sie gehört nicht zur Anfrage, daher wurde niemand angemeldet.'],
    notOpened: ['Die Wallet ließ sich nicht öffnen', 'Ihr Link öffnet keine Wallet. Es wurde nichts unterschrieben.'],
    offline: ['Sie sind offline', 'Es wurde nichts unterschrieben. Versuchen Sie es, wenn Sie wieder online sind.'],
    noStorage: ['Dieser Browser speichert nichts', 'Das Anmelden braucht Speicher. Erlauben Sie ihn für diese Seite.'],
    changed: ['Diese Seite hat sich geändert', 'Laden Sie sie neu und melden Sie sich dann an.'],
    unreached: [
      'Ihre Wallet war nicht erreichbar',
      'Unterwegs ist etwas schiefgegangen. Es wurde nichts unterschrieben.',
    ],
  },
} satisfies SignInTexts
