import type { RelayTexts } from './en.ts'

export default {
  openWallet: 'ウォレットを開く',
  newCodeIn: time => `新しいコードまで ${time}`,
  makingCode: '新しいコードを作成中',
  codeNotLoaded: 'コードを読み込めませんでした。代わりにリンクをコピーしてください。',
  tooLong: 'QRコードにするには長すぎます。代わりにコピーしてください。',
  connecting: 'リレーに接続しています。',
  refused: '現在、スマートフォンのウォレットは接続できません。',
  checkClock: 'この端末の時計が正しいか確認してください。',
  useInstalled: 'インストール済みのウォレットをお使いください。',
  offline: 'オフラインです。オンラインに戻るとウォレットが応答できます。',
  away: 'リレーに接続できません。このページは試行を続けます。',
  busy: 'リレーが混み合っています。このページが自動でもう一度試します。',
  moving: 'リレーがこのページを別のサーバーに移しています。このページは試行を続けます。',
  partMissing: 'このページの一部を読み込めませんでした。このページは試行を続けます。',
  walletAway: wallet =>
    `${wallet} に接続できません。このページの一部を読み込めませんでした。閲覧はできますが、このウォレットでの支払いはできません。`,
  walletOffline: wallet =>
    `オフラインのため ${wallet} に接続できません。閲覧はできますが、このウォレットでの支払いはできません。`,
} satisfies RelayTexts
