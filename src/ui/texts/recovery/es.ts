import type { RecoveryTexts } from './en.ts'

export default {
  reportNote:
    'En un informe se sustituyen direcciones, nombres, importes y fechas, y nunca contiene una clave. Aun así, un pago puede encontrarse por el tiempo que lo separa de otro pago o de un cambio de la venta.',
  notDrawn: 'No se pudo mostrar esta página',
  noOrder: 'No hay ninguna orden en curso. No se ha pagado ni perdido nada por esto.',
  orderAsked: wallet => `Tu orden sigue: se ha pedido a ${wallet} que la firme.`,
  orderSending: 'Tu orden sigue: el pago se está enviando. No pagues otra vez.',
  orderSeen: 'Tu pago ha llegado y se está volviendo definitivo. No pagues otra vez.',
  orderUnknown: 'Aún no se sabe si tu pago se envió. No pagues otra vez hasta que esta página lo diga.',
  orderPrepared: 'Tu orden se está preparando; aún no se ha pagado nada.',
} satisfies RecoveryTexts
