import type { RelayTexts } from './en.ts'

export default {
  openWallet: 'Wallet öffnen',
  newCodeIn: time => `Neuer Code in ${time}`,
  makingCode: 'Neuer Code wird erstellt',
  codeNotLoaded: 'Der Code wurde nicht geladen. Kopieren Sie stattdessen den Link.',
  tooLong: 'Das ist zu lang für einen QR-Code. Kopieren Sie es stattdessen.',
  connecting: 'Die Verbindung für Wallets auf dem Telefon wird aufgebaut.',
  refused: 'Wallets auf dem Telefon können sich gerade nicht verbinden.',
  checkClock: 'Prüfen Sie, ob die Uhr dieses Geräts richtig geht.',
  useInstalled: 'Nutzen Sie eine installierte Wallet.',
  offline: 'Sie sind offline. Eine Wallet kann antworten, sobald Sie wieder online sind.',
  away: 'Die Verbindung für Wallets auf dem Telefon ist unterbrochen. Diese Seite versucht es weiter.',
  busy: 'Die Verbindung für Wallets auf dem Telefon ist überlastet. Diese Seite versucht es von selbst wieder.',
  moving:
    'Die Verbindung für Wallets auf dem Telefon zieht auf einen anderen Server um. Diese Seite versucht es weiter.',
  partMissing: 'Ein Teil dieser Seite konnte nicht geladen werden. Diese Seite versucht es weiter.',
  walletAway: wallet =>
    `${wallet} ist nicht erreichbar: Ein Teil dieser Seite konnte nicht geladen werden. Sie können schauen, aber nicht damit bezahlen.`,
  walletOffline: wallet =>
    `Sie sind offline, daher ist ${wallet} nicht erreichbar. Sie können schauen, aber nicht damit bezahlen.`,
} satisfies RelayTexts
