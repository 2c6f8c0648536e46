import { pluralIn } from '../plural.ts'
import type { LedgerTexts } from './en.ts'

const plural = pluralIn('es')

export default {
  title: 'Comprobar esta venta',
  about: 'Su navegador lee cada pago de la cadena y vuelve a calcular las cifras de esta página.',
  verify: 'Comprobar',
  listing: 'Haciendo la lista de pagos',
  listed: count => `${count} hasta ahora. Puede salir; continúa cuando vuelva.`,
  reading: 'Leyendo los pagos',
  read: (count, total) => `${count} de ${total}. Puede salir; continúa cuando vuelva.`,
  paused: 'En pausa',
  pausedAt: (count, total) => `${count} de ${total} leídos.`,
  pause: 'Pausar',
  goOn: 'Continuar',
  stop: 'Detener',
  stopped: 'Detenido antes del final. No se comparó nada.',
  matches: 'Coincide',
  matchesFact: moment => `Las cifras del equipo del ${moment} son las de la cadena.`,
  differs: 'No coincide',
  differsFact: moment =>
    `Las cifras del equipo del ${moment} no son las de la cadena. La compra está desactivada en este dispositivo.`,
  computed: 'Calculado',
  published: moment => `Las cifras firmadas por el equipo del ${moment}:`,
  nothingPublished: 'El equipo no ha publicado cifras con las que comparar.',
  behind: 'Las cifras del equipo no se compararon: el nodo de Solana aún no ha llegado hasta ahí. Inténtelo de nuevo.',
  unannounced: 'Las cifras del equipo no se compararon: su archivo no es el anunciado. Inténtelo más tarde.',
  fileMissing: 'Las cifras del equipo no se compararon: no se pudo leer su archivo. Inténtelo de nuevo.',
  team: 'Equipo',
  chain: 'Cadena',
  upTo: (moment, count, text) =>
    plural(count, {
      one: `La única transacción hasta el ${moment}:`,
      other: `Las ${text} transacciones hasta el ${moment}:`,
    }),
  again: 'Otra vez',
  failed: 'Sin comprobar',
  contradicts:
    'Las respuestas de la cadena se contradicen: falta un pago o uno es inventado. Inténtelo de nuevo más tarde.',
  silent: 'Solana no responde. Inténtelo de nuevo más tarde.',
  version: 'Una versión anterior de las condiciones falta o fue alterada.',
  other: 'Ha ocurrido algo inesperado. Inténtelo de nuevo.',
  figures: {
    raised: 'Recaudado',
    pos: 'Posición en la escalera de precios',
    tokens: 'Vendido',
    orders: 'Pedidos',
    buyers: 'Compradores',
    refundsOwed: 'Devoluciones en total',
    outflows: 'Salió de la tesorería',
    balances: 'En la tesorería',
    hash: 'Hash del libro',
  },
  none: 'nada',
} satisfies LedgerTexts
