import type { FeedTexts } from './en.ts'

export default {
  title: '最新の購入',
  about:
    'あるノードの一覧のままです。このような行は誰でも書き込むことができ、支払いが後で拒否されることもあります。有効なのは帳簿だけです。',
  show: '最新の20件を表示',
  again: 'もう一度読み取る',
  reading: '一覧を読み取っています',
  asOf: moment => `${moment}時点の一覧、未検証。`,
  unverified: '未検証',
  quoted: tokens => `${tokens} 分`,
  noTime: '時刻不明',
  none: '購入は一覧にありません。',
  other: (_, text) => `ほかの${text}行は、この販売の注文ではありません。`,
  failed: '一覧を読み取れませんでした。',
  contradicts: 'ノードの一覧に矛盾があるため、表示しません。',
} satisfies FeedTexts
