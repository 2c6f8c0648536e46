import type { ModalTexts } from './en.ts'

export default {
  allWallets: 'すべてのウォレット',
  account: 'アカウント',
  whatIsAWallet: 'ウォレットとは？',
  receive: '受け取る',
  compatibleNetworks: '対応ネットワーク',
  partMissing: 'この部分を読み込めませんでした',
  mayHaveChanged: 'ページが更新された可能性があります。直らない場合は再読み込みしてください。',
  offline: 'オフラインです。',
  getAWallet: 'ウォレットを入手',
  consent: {
    both: ['接続すると、', '利用規約', 'と', 'プライバシー通知', 'に同意したことになります。'],
    terms: ['接続すると、', '利用規約', 'に同意したことになります。'],
    privacy: ['接続すると、', 'プライバシー通知', 'に同意したことになります。'],
  },
  somethingWrong: '問題がありますか？',
  reportFailed: 'レポートを保存できませんでした',
  added: '新しいウォレットを追加しました',
  notStarted:
    'このウィンドウのファイルが見つからないか、変更されているか、エラーが続いています。ページを再読み込みしてください。',
  linkUnread: 'ウォレットが、読み取れないメッセージでこのページを開きました。何も変わっていません。',
  blockedForbidden: 'このブラウザーでは、ページがバックグラウンドで動作できません。ほかのブラウザーをお試しください。',
  problems: {
    APKT002: 'アプリの設定が無効です',
    APKT006: 'セッションの期限切れ',
    APKT007: 'プロジェクトIDが無効です',
    APKT008: 'プロジェクトIDがありません',
    APKT009: 'サーバーエラー',
    APKT010: 'リクエストが多すぎます',
  },
} satisfies ModalTexts
