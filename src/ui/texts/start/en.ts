import type { Area } from '../language.tsx'

const english = {
  switchTheme: 'Switch theme',
  onThisPage: 'On this page',
  sale: 'Sale',
  about: 'About',
  purchases: 'Purchases',
  trust: 'Who holds the money',
  tokenomics: 'Tokenomics',
  roadmap: 'Roadmap',
  questions: 'Questions',
  reloadNeeded: 'Reload needed.',
  partMissing: 'Part of this page did not load. Nothing was sent.',
  reloadThis: 'Reload this page',
}

export type StartTexts = typeof english
/** Texts of the top bar and of the sections. */
export const start: Area<StartTexts> = { name: 'start', english }
