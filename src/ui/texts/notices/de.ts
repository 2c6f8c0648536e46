import type { NoticeTexts } from './en.ts'

export default {
  retryFailed: 'Die Wallet ist noch immer nicht erreichbar. Laden Sie die Seite neu oder versuchen Sie es später.',
  answerUnused: 'Die Antwort Ihrer Wallet war nicht verwendbar. Das Ergebnis erscheint hier.',
  messageUnused: 'Eine Nachricht Ihrer Wallet war nicht verwendbar.',
  notDone: 'Das war nicht möglich. Laden Sie einen Problembericht herunter und senden Sie ihn dem Team.',
  notDelivered: 'Das ist nicht angekommen. Versuchen Sie es noch einmal.',
  otherTabBusy: 'Im anderen Tab läuft ein Auftrag. Schließen Sie ihn dort ab und machen Sie dann hier weiter.',
  otherTabSilent: 'Der andere Tab antwortet nicht. Schließen Sie ihn, um hier weiterzumachen.',
  lateSent: 'Ihre Wallet hat spät geantwortet. Auf der Chain wird gesucht, ob sie etwas gesendet hat.',
  lateUnused: 'Ihre Wallet hat zu spät geantwortet. Diese Antwort wird nicht verwendet.',
  analyticsRefused: 'Ungültige Konfiguration der App',
  calls: {
    balance: 'Guthaben nicht verfügbar',
    history: 'Die Transaktionen wurden nicht geladen',
  },
} satisfies NoticeTexts
