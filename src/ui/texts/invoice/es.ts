import type { InvoiceTexts } from './en.ts'

export default {
  open: 'Pagar con un código',
  openNote: 'Sin conexión: cualquier billetera de Solana lo escanea.',
  title: 'Pagar con un código',
  waiting: 'Esperando el pago',
  unwatched: 'Sin seguimiento',
  unwatchedNote:
    'Ha pasado una hora y esta página ya no busca un pago de este código. No lo pague ahora. Si ya lo pagó, busque una vez más.',
  look: 'Buscar una vez más',
  looked: 'Se busca una vez más. Un pago que haya llegado aparecerá aquí en menos de un minuto.',
  notFound: 'No se encontró ningún pago de este código.',
  lookFailed: 'La red no respondió. Puede haber llegado un pago que no se vio. Busque una vez más.',
  remake: 'Crear el código de nuevo',
  seen: 'Confirmado',
  scan: 'Escanéelo con una billetera de Solana y apruebe exactamente este pago.',
  codeFor: amount => `Código para pagar ${amount}`,
  openWallet: 'Abrir una billetera',
  copyLink: 'Copiar el enlace',
  copied: 'Enlace copiado',
  notCopied: 'No se pudo copiar el enlace',
  until: least => `El precio puede cambiar hasta que pague. Recibirá al menos ${least}, o se le devolverá el pago.`,
  paidBy: address => `Pagado por ${address}. Los tokens y los reembolsos van a esta cuenta.`,
  seenNote: 'Definitivo cuando los proveedores de red coincidan, normalmente en unos 15 segundos.',
  otherAmount: amount => `Llegaron ${amount}, que no es el importe del código. El equipo lo evaluará.`,
  noMemo:
    'La billetera omitió el texto que identifica esta compra. El equipo tiene que devolver el pago a mano. Use otra billetera para este código.',
  malformed: 'El pago no tiene la forma de una compra. El equipo tiene que devolverlo.',
  unread: 'El código aún no se pudo crear. Se intenta de nuevo.',
  untold: 'Primero hay que leer los anuncios del equipo. No pague este código hasta que se vuelva a mostrar.',
  notNow: 'La venta no acepta pagos ahora. No pague este código.',
  stale: 'El precio ha cambiado: un pago de este código se devolvería. Guárdelo y cree uno nuevo.',
  otherTerms: 'Los términos han cambiado desde que se creó este código. No lo pague: guárdelo y cree uno nuevo.',
  paidBeside:
    'Esta compra ya está pagada. No pague también este código: de dos pagos de una misma cuenta, como máximo uno es válido. Cuando el pago anterior sea definitivo, un código nuevo será una compra nueva.',
  paidTwice:
    'Esta compra ya se había pagado desde esta cuenta. Como máximo uno de los dos pagos es válido; el resto se devolverá.',
  close: 'Guardar',
  done: 'Listo',
  closeNote: 'Esta página busca el pago durante una hora, también después de guardar el código.',
  notMade: 'No se creó ningún código.',
  refused: 'No se creó ningún código: la venta o su precio ha cambiado. Revíselo y pulse de nuevo.',
} satisfies InvoiceTexts
