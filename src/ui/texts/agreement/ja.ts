import type { AgreementTexts } from './en.ts'

export default {
  agree: {
    both: ['', '利用規約', 'と', 'プライバシー通知', 'に同意します。'],
    terms: ['', '利用規約', 'に同意します。'],
    privacy: ['', 'プライバシー通知', 'に同意します。'],
  },
  first: 'チェックを入れると続けられます。',
} satisfies AgreementTexts
