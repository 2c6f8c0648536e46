import type { RecoveryTexts } from './en.ts'

export default {
  notDrawn: 'このページを表示できませんでした',
  noOrder: '進行中の注文はありません。これによる支払いや損失はありません。',
  orderAsked: wallet => `注文は続いています。${wallet} に署名を依頼しました。`,
  orderSending: '注文は続いています。支払いを送信中です。もう一度支払わないでください。',
  orderSeen: '支払いは届き、確定しつつあります。もう一度支払わないでください。',
  orderUnknown:
    '支払いが送信されたかどうか、まだ分かりません。このページが知らせるまで、もう一度支払わないでください。',
  orderPrepared: '注文を準備中です。まだ何も支払われていません。',
} satisfies RecoveryTexts
