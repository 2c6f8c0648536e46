import type { HoldingTexts } from './en.ts'

export default {
  allocation: 'Su asignación',
  allocationAbout: delivery => `${delivery}. La envía el equipo; usted no tiene que hacer nada.`,
  counted: 'Contado',
  bonus: 'Bonificación por recomendación',
  notCounted: 'Aún sin contar',
  notCountedNote: 'Compruebe esta venta para ver lo que se ha contado para usted.',
  payouts: 'Pagos',
  payoutsAbout: 'Leído de la cadena y de los planes anunciados del equipo: lo que envía a esta billetera.',
  due: day => `Vence el ${day}`,
  dueBy: day => `Vence a más tardar el ${day}`,
  notSeen: 'Aún no se encontró el pago',
  proof: 'Prueba de pago',
  delivery: 'Entrega',
  refund: 'Reembolso',
  arrived: 'Recibido',
  referral: 'Recomendación',
  referralAbout: (percent, symbol) =>
    `Gana el ${percent} en ${symbol} cuando alguien compra con su enlace, una vez que usted haya comprado. El precio de esa persona no cambia.`,
  link: 'Su enlace de recomendación',
  copyLink: 'Copiar enlace',
  pool: amount => `Se paga de un fondo de ${amount}, hasta que se agote.`,
  earned: (amount, moment) => `Ganado hasta el ${moment}: ${amount}.`,
  through: address => `Ha llegado con el enlace de ${address}. Su precio es el mismo.`,
  linkOwn: 'Este es su propio enlace de recomendación. No gana nada con sus propias compras.',
  linkUnreadable:
    'El enlace de recomendación no contiene una dirección válida y no cuenta para nadie. Puede comprar sin él.',
} satisfies HoldingTexts
