import type { ButtonsTexts } from './en.ts'

export default {
  connecting: 'Wird verbunden',
  unknownNetwork: 'Unbekanntes Netzwerk',
  selectNetwork: 'Netzwerk wählen',
} satisfies ButtonsTexts
