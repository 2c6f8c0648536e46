import type { AgreementTexts } from './en.ts'

export default {
  agree: {
    both: ['أوافق على ', 'الشروط', ' وعلى ', 'إشعار الخصوصية', '.'],
    terms: ['أوافق على ', 'الشروط', '.'],
    privacy: ['أوافق على ', 'إشعار الخصوصية', '.'],
  },
  first: 'ضع علامة في هذا المربع للمتابعة.',
} satisfies AgreementTexts
