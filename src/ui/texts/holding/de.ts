import type { HoldingTexts } from './en.ts'

export default {
  allocation: 'Ihre Zuteilung',
  allocationAbout: delivery => `${delivery}. Das Team schickt sie; Sie müssen nichts tun.`,
  counted: 'Gezählt',
  bonus: 'Empfehlungsbonus',
  notCounted: 'Noch nicht gezählt',
  notCountedNote: 'Prüfen Sie diesen Verkauf, um zu sehen, was für Sie gezählt ist.',
  payouts: 'Auszahlungen',
  payoutsAbout: 'Von der Chain und aus den angekündigten Plänen des Teams gelesen: was an diese Wallet geht.',
  due: day => `Fällig am ${day}`,
  dueBy: day => `Fällig bis ${day}`,
  notSeen: 'Noch keine Zahlung gefunden',
  proof: 'Zahlungsnachweis',
  delivery: 'Lieferung',
  refund: 'Rückzahlung',
  arrived: 'Angekommen',
  referral: 'Empfehlung',
  referralAbout: (percent, symbol) =>
    `Sie erhalten ${percent} in ${symbol}, wenn jemand über Ihren Link kauft und Sie selbst schon gekauft haben. Der Preis ändert sich dadurch nicht.`,
  link: 'Ihr Empfehlungslink',
  copyLink: 'Link kopieren',
  pool: amount => `Bezahlt aus einem Vorrat von ${amount}, bis er leer ist.`,
  earned: (amount, moment) => `Verdient bis ${moment}: ${amount}.`,
  through: address => `Sie kamen über den Link von ${address}. Ihr Preis ist derselbe.`,
  linkOwn: 'Das ist Ihr eigener Empfehlungslink. Für eigene Käufe bringt er nichts.',
  linkUnreadable:
    'Der Empfehlungslink enthält keine gültige Adresse und zählt für niemanden. Sie können ohne ihn kaufen.',
} satisfies HoldingTexts
