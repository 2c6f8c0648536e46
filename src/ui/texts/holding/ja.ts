import type { HoldingTexts } from './en.ts'

export default {
  allocation: 'あなたの割り当て',
  allocationAbout: delivery => `${delivery}。チームが送付します。手続きは不要です。`,
  counted: '計上済み',
  bonus: '紹介ボーナス',
  notCounted: '未計上',
  notCountedNote: 'この販売を検証すると、あなたの計上済みの数量がわかります。',
  payouts: '支払い',
  payoutsAbout: 'チェーンと、チームが告知した支払い計画から読み取ったもの：このウォレットに送られる分です。',
  due: day => `予定日 ${day}`,
  dueBy: day => `期限 ${day}`,
  notSeen: '支払いはまだ見つかっていません',
  proof: '支払いの証明',
  delivery: '配布',
  refund: '返金',
  arrived: '到着済み',
  referral: '紹介',
  referralAbout: (percent, symbol) =>
    `あなたが購入した後、あなたのリンクから誰かが購入すると、${symbol}で${percent}を受け取れます。相手の価格は変わりません。`,
  link: 'あなたの紹介リンク',
  copyLink: 'リンクをコピー',
  pool: amount => `${amount}の枠から、なくなるまで支払われます。`,
  earned: (amount, moment) => `${moment}までの獲得: ${amount}。`,
  through: address => `${address}のリンクから来ました。価格は同じです。`,
  linkOwn: 'これはあなた自身の紹介リンクです。自分の購入では何も得られません。',
  linkUnreadable: '紹介リンクに有効なアドレスがないため、誰の紹介にもなりません。リンクなしで購入できます。',
} satisfies HoldingTexts
