import type { RecoveryTexts } from './en.ts'

export default {
  notDrawn: 'Diese Seite konnte nicht angezeigt werden',
  noOrder: 'Es läuft kein Auftrag. Dadurch wurde nichts bezahlt und nichts verloren.',
  orderAsked: wallet => `Ihr Auftrag läuft weiter: ${wallet} wurde um die Unterschrift gebeten.`,
  orderSending: 'Ihr Auftrag läuft weiter: Die Zahlung wird gesendet. Zahlen Sie nicht noch einmal.',
  orderSeen: 'Ihre Zahlung ist angekommen und wird gerade endgültig. Zahlen Sie nicht noch einmal.',
  orderUnknown:
    'Es ist noch nicht bekannt, ob Ihre Zahlung gesendet wurde. Zahlen Sie nicht noch einmal, bevor diese Seite es sagt.',
  orderPrepared: 'Ihr Auftrag wird vorbereitet; es ist noch nichts bezahlt.',
} satisfies RecoveryTexts
