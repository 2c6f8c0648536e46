import type { Area } from '../language.tsx'

const english = {
  connecting: 'Connecting',
  unknownNetwork: 'Unknown network',
  selectNetwork: 'Select network',
}

export type ButtonsTexts = typeof english
/** Texts of the modal's buttons in a host's page. */
export const buttonsArea: Area<ButtonsTexts> = { name: 'buttons', english }
