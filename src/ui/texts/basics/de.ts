import type { BasicsTexts } from './en.ts'

export default {
  back: 'Zurück',
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Noch einmal versuchen',
  timeLeft: time => `Noch ${time}.`,
  copied: 'Kopiert',
  notCopied: 'Nicht kopiert',
  connectWallet: 'Wallet verbinden',
  reload: 'Seite neu laden',
  report: 'Problembericht herunterladen',
  reportSaved: name => `${name} gespeichert`,
  reportFailed: 'Der Bericht konnte nicht gespeichert werden.',
  reportNote:
    'In einem Problembericht sind Adressen, Namen, Beträge und Daten ersetzt, und er enthält nie einen Schlüssel. Eine Zahlung darin lässt sich dennoch finden: am Abstand zu einer anderen Zahlung oder zu einer Änderung des Verkaufs.',
  notShown: 'Das konnte nicht angezeigt werden. Versuchen Sie es noch einmal oder laden Sie die Seite neu.',
  outdated: 'Diese Seite hat sich geändert. Laden Sie sie neu.',
  otherBuild: [
    'In einem anderen Tab ist eine andere Version dieser Seite geöffnet.',
    'Machen Sie dort weiter oder hier.',
  ],
  continueHere: 'Hier weitermachen',
  disconnected: wallet => `${wallet} getrennt`,
  switched: 'Wallet gewechselt',
} satisfies BasicsTexts
