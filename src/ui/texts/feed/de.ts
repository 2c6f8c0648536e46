import { pluralIn } from '../plural.ts'
import type { FeedTexts } from './en.ts'

const plural = pluralIn('de')

export default {
  title: 'Neueste Käufe',
  about:
    'So, wie ein Knoten sie auflistet. Jeder kann so eine Zeile schreiben, und eine Zahlung kann noch abgelehnt werden: Nur die Bücher zählen.',
  show: 'Die neuesten 20 zeigen',
  again: 'Erneut lesen',
  reading: 'Liste wird gelesen',
  asOf: moment => `Aufgelistet am ${moment}, ungeprüft.`,
  unverified: 'Ungeprüft',
  quoted: tokens => `für ${tokens}`,
  noTime: 'Zeit unbekannt',
  none: 'Es ist kein Kauf aufgelistet.',
  other: (count, text) =>
    plural(count, {
      one: `${text} weitere Zeile ist keine Order dieses Verkaufs.`,
      other: `${text} weitere Zeilen sind keine Orders dieses Verkaufs.`,
    }),
  failed: 'Die Liste konnte nicht gelesen werden.',
  contradicts: 'Die Liste des Knotens widerspricht sich und wird deshalb nicht gezeigt.',
} satisfies FeedTexts
