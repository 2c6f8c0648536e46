import { pluralIn } from '../plural.ts'
import type { FeedTexts } from './en.ts'

const plural = pluralIn('es')

export default {
  title: 'Últimas compras',
  about:
    'Tal como las enumera un nodo. Cualquiera puede escribir una línea así, y un pago aún puede ser rechazado: solo cuentan los libros.',
  show: 'Mostrar las 20 más recientes',
  again: 'Leer de nuevo',
  reading: 'Leyendo la lista',
  asOf: moment => `Enumeradas el ${moment}, sin verificar.`,
  unverified: 'Sin verificar',
  quoted: tokens => `por ${tokens}`,
  noTime: 'Hora desconocida',
  none: 'No hay ninguna compra en la lista.',
  other: (count, text) =>
    plural(count, {
      one: `${text} línea más no es una orden de esta venta.`,
      other: `${text} líneas más no son órdenes de esta venta.`,
    }),
  failed: 'No se pudo leer la lista.',
  contradicts: 'La lista del nodo se contradice, por lo que no se muestra.',
} satisfies FeedTexts
