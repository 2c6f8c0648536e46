import type { ButtonsTexts } from './en.ts'

export default {
  connecting: 'Conectando',
  unknownNetwork: 'Red desconocida',
  selectNetwork: 'Elegir red',
} satisfies ButtonsTexts
