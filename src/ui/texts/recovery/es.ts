import type { RecoveryTexts } from './en.ts'

export default {
  notDrawn: 'No se pudo mostrar esta página',
  noOrder: 'No hay ninguna orden en curso. No se ha pagado ni perdido nada por esto.',
  orderAsked: wallet => `Tu orden sigue: se ha pedido a ${wallet} que la firme.`,
  orderSending: 'Tu orden sigue: el pago se está enviando. No pagues otra vez.',
  orderSeen: 'Tu pago ha llegado y se está volviendo definitivo. No pagues otra vez.',
  orderUnknown: 'Aún no se sabe si tu pago se envió. No pagues otra vez hasta que esta página lo diga.',
  orderPrepared: 'Tu orden se está preparando; aún no se ha pagado nada.',
} satisfies RecoveryTexts
