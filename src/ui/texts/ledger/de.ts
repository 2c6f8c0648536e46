import { pluralIn } from '../plural.ts'
import type { LedgerTexts } from './en.ts'

const plural = pluralIn('de')

export default {
  title: 'Diesen Verkauf prüfen',
  about: 'Ihr Browser liest jede Zahlung von der Chain und berechnet die Zahlen dieser Seite neu.',
  verify: 'Prüfen',
  listing: 'Zahlungen werden aufgelistet',
  listed: count => `Bisher ${count}. Sie können gehen; es geht weiter, wenn Sie zurückkommen.`,
  reading: 'Zahlungen werden gelesen',
  read: (count, total) => `${count} von ${total}. Sie können gehen; es geht weiter, wenn Sie zurückkommen.`,
  paused: 'Angehalten',
  pausedAt: (count, total) => `${count} von ${total} gelesen.`,
  pause: 'Anhalten',
  goOn: 'Weiter',
  stop: 'Beenden',
  stopped: 'Vor dem Ende beendet. Nichts wurde verglichen.',
  matches: 'Es stimmt',
  matchesFact: moment => `Die Zahlen des Teams vom ${moment} sind die der Chain.`,
  differs: 'Es stimmt nicht',
  differsFact: moment =>
    `Die Zahlen des Teams vom ${moment} sind nicht die der Chain. Kaufen ist auf diesem Gerät ausgeschaltet.`,
  computed: 'Berechnet',
  published: moment => `Die signierten Zahlen des Teams vom ${moment}:`,
  nothingPublished: 'Das Team hat keine Zahlen zum Vergleichen veröffentlicht.',
  behind:
    'Die Zahlen des Teams wurden nicht verglichen: Der Solana-Knoten ist noch nicht so weit. Versuchen Sie es noch einmal.',
  unannounced:
    'Die Zahlen des Teams wurden nicht verglichen: Ihre Datei ist nicht die angekündigte. Versuchen Sie es später noch einmal.',
  fileMissing:
    'Die Zahlen des Teams wurden nicht verglichen: Ihre Datei war nicht zu lesen. Versuchen Sie es noch einmal.',
  team: 'Team',
  chain: 'Chain',
  upTo: (moment, count, text) =>
    plural(count, {
      one: `Die eine Transaktion bis ${moment}:`,
      other: `Alle ${text} Transaktionen bis ${moment}:`,
    }),
  again: 'Noch einmal',
  failed: 'Nicht geprüft',
  contradicts:
    'Die Antworten der Chain widersprechen sich: Eine Zahlung fehlt oder ist erfunden. Versuchen Sie es später noch einmal.',
  silent: 'Solana antwortet nicht. Versuchen Sie es später noch einmal.',
  version: 'Eine frühere Fassung der Bedingungen fehlt oder wurde verändert.',
  other: 'Etwas Unerwartetes ist geschehen. Versuchen Sie es noch einmal.',
  figures: {
    raised: 'Eingenommen',
    pos: 'Stand auf der Preistreppe',
    tokens: 'Verkauft',
    orders: 'Aufträge',
    buyers: 'Käufer',
    refundsOwed: 'Rückzahlungen insgesamt',
    outflows: 'Aus der Kasse abgeflossen',
    balances: 'In der Kasse',
    hash: 'Hash des Kassenbuchs',
  },
  none: 'nichts',
} satisfies LedgerTexts
