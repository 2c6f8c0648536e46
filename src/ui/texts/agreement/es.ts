import type { AgreementTexts } from './en.ts'

export default {
  agree: {
    both: ['Acepto los ', 'términos', ' y el ', 'aviso de privacidad', '.'],
    terms: ['Acepto los ', 'términos', '.'],
    privacy: ['Acepto el ', 'aviso de privacidad', '.'],
  },
  first: 'Marca esta casilla para continuar.',
} satisfies AgreementTexts
