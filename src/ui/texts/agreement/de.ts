import type { AgreementTexts } from './en.ts'

export default {
  agree: {
    both: ['Ich stimme den ', 'Bedingungen', ' und der ', 'Datenschutzerklärung', ' zu.'],
    terms: ['Ich stimme den ', 'Bedingungen', ' zu.'],
    privacy: ['Ich stimme der ', 'Datenschutzerklärung', ' zu.'],
  },
  first: 'Setzen Sie dieses Häkchen, um fortzufahren.',
} satisfies AgreementTexts
