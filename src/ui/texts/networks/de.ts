import type { NetworksTexts } from './en.ts'

export default {
  search: 'Netzwerke durchsuchen',
  test: 'Test',
  chooseFrom: network => `${network}, ein anderes Netzwerk wählen`,
  unsupportedName: network => `${network} ist hier nicht nutzbar, Netzwerk wechseln`,
  unknown: 'diesem Netzwerk',
  noOther: 'Kein weiteres Netzwerk',
  noOtherNote: 'Diese Seite arbeitet nur in einem Netzwerk.',
  noneNamed: text => `Kein Netzwerk mit dem Namen „${text}“`,
  noneNote: 'Prüfen Sie die Schreibweise.',
  offline: 'Sie sind offline. Ein Netzwerk wird gelesen, sobald Sie wieder online sind.',
  notApproved: wallet => `Von ${wallet} nicht freigegeben`,
  mayLack: 'Ihre Wallet bietet vielleicht nicht jedes Netzwerk.',
  switchingTo: network => `Wechsel zu ${network}`,
  nothingSigned: 'Einen Moment. Nichts wird signiert oder gesendet.',
  takesLong: 'Das dauert länger als üblich.',
  stillOn: network => `Sie sind weiter in ${network}. Nichts hat sich geändert.`,
  declined: 'Wechsel abgelehnt',
  walletLacks: (wallet, network) => `${wallet} hat ${network} nicht freigegeben.`,
  busy: 'Eine Anfrage ist unterwegs',
  busyNote: 'Wechseln Sie, sobald sie abgeschlossen ist.',
  noStorage: 'Dieser Browser speichert nichts',
  noStorageNote: 'Ein Wechsel braucht Speicher.',
  notFound: 'Netzwerk nicht gefunden',
  notFoundNote: 'Diese Seite bietet es nicht an.',
  failed: 'Wechsel nicht möglich',
  notWithWallet: (wallet, network) =>
    `${wallet} hat ${network} nicht freigegeben. Wählen Sie ein freigegebenes Netzwerk, oder trennen Sie die Wallet.`,
  notServed: network => `${network} ist auf dieser Seite gerade nicht nutzbar. Wählen Sie ein anderes Netzwerk.`,
  points: {
    ledger: [
      'Es führt das Verzeichnis',
      'Ein Netzwerk sind viele Computer, die gemeinsam festhalten, wem was gehört. Ihre Token sind Einträge darin.',
    ],
    apart: [
      'Jedes steht für sich',
      'Token des einen Netzwerks gibt es im anderen nicht. Testnetzwerke sind zum Ausprobieren: ihre Token sind nichts wert.',
    ],
  },
  learnMore: 'Mehr erfahren',
} satisfies NetworksTexts
