import type { InvoiceTexts } from './en.ts'

export default {
  open: 'Stattdessen per Code zahlen',
  openNote: 'Ohne Verbindung: Jede Solana-Wallet scannt ihn.',
  title: 'Per Code zahlen',
  waiting: 'Warten auf die Zahlung',
  unwatched: 'Nicht mehr beobachtet',
  unwatchedNote:
    'Eine Stunde ist vergangen, und diese Seite sucht nicht mehr nach einer Zahlung dieses Codes. Bezahlen Sie ihn jetzt nicht. Wenn Sie ihn bezahlt haben, suchen Sie noch einmal.',
  look: 'Noch einmal suchen',
  looked: 'Es wird noch einmal gesucht. Eine angekommene Zahlung erscheint hier innerhalb einer Minute.',
  notFound: 'Es wurde keine Zahlung dieses Codes gefunden.',
  lookFailed:
    'Das Netzwerk hat nicht geantwortet. Eine Zahlung kann angekommen sein, ohne dass sie gesehen wurde. Suchen Sie noch einmal.',
  remake: 'Code neu erstellen',
  seen: 'Bestätigt',
  scan: 'Scannen Sie ihn mit einer Solana-Wallet und genehmigen Sie genau diese Zahlung.',
  codeFor: amount => `Code, um ${amount} zu zahlen`,
  openWallet: 'Wallet öffnen',
  copyLink: 'Link kopieren',
  copied: 'Link kopiert',
  notCopied: 'Der Link konnte nicht kopiert werden',
  until: least =>
    `Der Preis kann sich bis zur Zahlung ändern. Sie erhalten mindestens ${least}, sonst kommt Ihre Zahlung zurück.`,
  paidBy: address => `Bezahlt von ${address}. Token und Rückzahlungen gehen an dieses Konto.`,
  seenNote: 'Endgültig, sobald die Netzanbieter übereinstimmen, meist in etwa 15 Sekunden.',
  otherAmount: amount => `${amount} kamen an, nicht der Betrag des Codes. Das Team beurteilt das.`,
  noMemo:
    'Die Wallet ließ den Text weg, der diesen Kauf benennt. Das Team muss die Zahlung von Hand zurückgeben. Nehmen Sie für diesen Code eine andere Wallet.',
  malformed: 'Die Zahlung hat nicht die Form eines Kaufs. Das Team muss sie zurückgeben.',
  unread: 'Der Code konnte noch nicht erstellt werden. Es wird erneut versucht.',
  untold:
    'Zuerst müssen die Mitteilungen des Teams gelesen werden. Bezahlen Sie diesen Code erst, wenn er wieder angezeigt wird.',
  notNow: 'Der Verkauf nimmt jetzt keine Zahlung an. Bezahlen Sie diesen Code nicht.',
  stale:
    'Der Preis hat sich geändert: Eine Zahlung dieses Codes käme zurück. Legen Sie ihn weg und erstellen Sie einen neuen.',
  otherTerms:
    'Die Bedingungen haben sich geändert, seit dieser Code erstellt wurde. Bezahlen Sie ihn nicht: Legen Sie ihn weg und erstellen Sie einen neuen.',
  paidBeside:
    'Dieser Kauf ist schon bezahlt. Bezahlen Sie nicht auch diesen Code: Von zwei Zahlungen eines Kontos zählt höchstens eine. Sobald die frühere Zahlung endgültig ist, ist ein neuer Code ein neuer Kauf.',
  paidTwice:
    'Dieser Kauf wurde schon einmal von diesem Konto bezahlt. Höchstens eine der beiden Zahlungen zählt; der Rest kommt zurück.',
  close: 'Weglegen',
  done: 'Fertig',
  closeNote: 'Diese Seite sucht eine Stunde lang nach der Zahlung, auch nachdem Sie den Code weggelegt haben.',
  notMade: 'Es wurde kein Code erstellt.',
  refused:
    'Es wurde kein Code erstellt: Der Verkauf oder sein Preis hat sich geändert. Sehen Sie nach und drücken Sie noch einmal.',
} satisfies InvoiceTexts
