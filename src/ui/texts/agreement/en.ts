import type { Area } from '../language.tsx'
import type { DocumentSentences } from '../modal/en.ts'

const english = {
  agree: {
    both: ['I agree to the ', 'terms', ' and ', 'privacy notice', '.'],
    terms: ['I agree to the ', 'terms', '.'],
    privacy: ['I agree to the ', 'privacy notice', '.'],
  } satisfies DocumentSentences,
  first: 'Tick this box to go on.',
}

export type AgreementTexts = typeof english
/** Texts of the box that agrees to documents. */
export const agreementArea: Area<AgreementTexts> = { name: 'agreement', english }
