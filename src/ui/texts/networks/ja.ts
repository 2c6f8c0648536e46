import type { NetworksTexts } from './en.ts'

export default {
  search: 'ネットワークを検索',
  test: 'テスト',
  chooseFrom: network => `${network}、別のネットワークを選ぶ`,
  unsupportedName: network => `${network} はここでは使えません。ネットワークを切り替える`,
  unknown: 'このネットワーク',
  noOther: 'ほかのネットワークはありません',
  noOtherNote: 'このページは 1 つのネットワークだけで動きます。',
  noneNamed: text => `「${text}」という名前のネットワークはありません`,
  noneNote: '綴りを確認してください。',
  offline: 'オフラインです。オンラインに戻るとネットワークを読み込みます。',
  notApproved: wallet => `${wallet} が承認していません`,
  mayLack: 'ウォレットによっては使えないネットワークがあります。',
  switchingTo: network => `${network} に切り替え中`,
  nothingSigned: '少しお待ちください。署名や送信は行われません。',
  takesLong: '通常より時間がかかっています。',
  stillOn: network => `まだ ${network} にいます。何も変わっていません。`,
  declined: '切り替えは拒否されました',
  walletLacks: (wallet, network) => `${wallet} は ${network} を承認していません。`,
  busy: '処理中のリクエストがあります',
  busyNote: '完了してから切り替えてください。',
  noStorage: 'このブラウザーは何も保存しません',
  noStorageNote: '切り替えには保存領域が必要です。',
  notFound: 'ネットワークが見つかりません',
  notFoundNote: 'このページでは提供されていません。',
  failed: '切り替えられませんでした',
  notWithWallet: (wallet, network) =>
    `${wallet} は ${network} を承認していません。承認済みのネットワークを選ぶか、切断してください。`,
  notServed: network => `現在、このページで ${network} は使えません。別のネットワークを選んでください。`,
  points: {
    ledger: [
      '記録を保管します',
      'ネットワークは、誰が何を持っているかという一つの記録を保つ多数のコンピューターです。トークンはその記録の項目です。',
    ],
    apart: [
      'それぞれ独立しています',
      'あるネットワークのトークンは別のネットワークにはありません。テスト用ネットワークは試すためのもので、そのトークンに価値はありません。',
    ],
  },
  learnMore: '詳しく見る',
} satisfies NetworksTexts
