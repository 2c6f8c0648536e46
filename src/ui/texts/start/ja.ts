import type { StartTexts } from './en.ts'

export default {
  switchTheme: 'テーマを切り替える',
  onThisPage: 'このページの内容',
  sale: '販売',
  about: '概要',
  purchases: '購入履歴',
  trust: '資金の管理者',
  tokenomics: 'トークノミクス',
  roadmap: 'ロードマップ',
  questions: '質問',
  reloadNeeded: '再読み込みが必要です。',
  partMissing: 'このページの一部を読み込めませんでした。何も送信されていません。',
  reloadThis: 'このページを再読み込み',
} satisfies StartTexts
