import type { StartTexts } from './en.ts'

export default {
  switchTheme: 'Hell oder dunkel',
  onThisPage: 'Auf dieser Seite',
  sale: 'Verkauf',
  about: 'Projekt',
  purchases: 'Käufe',
  trust: 'Wer das Geld verwahrt',
  tokenomics: 'Tokenomics',
  roadmap: 'Roadmap',
  questions: 'Fragen',
  reloadNeeded: 'Bitte neu laden.',
  partMissing: 'Ein Teil dieser Seite wurde nicht geladen. Es wurde nichts gesendet.',
  reloadThis: 'Diese Seite neu laden',
} satisfies StartTexts
