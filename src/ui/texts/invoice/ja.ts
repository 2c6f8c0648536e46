import type { InvoiceTexts } from './en.ts'

export default {
  open: 'コードで支払う',
  openNote: '接続は不要です。どの Solana ウォレットでも読み取れます。',
  title: 'コードで支払う',
  waiting: '支払いを待っています',
  seen: '確認済み',
  final: '確定',
  scan: 'Solana ウォレットで読み取り、この支払いだけを承認してください。',
  codeFor: amount => `${amount} を支払うコード`,
  openWallet: 'ウォレットを開く',
  copyLink: 'リンクをコピー',
  copied: 'リンクをコピーしました',
  notCopied: 'リンクをコピーできませんでした',
  until: least =>
    `支払うまでに価格が変わることがあります。受け取りは ${least} 以上で、それを下回る場合は返金されます。`,
  paidBy: address => `${address} が支払いました。トークンと返金はこのアカウントに送られます。`,
  seenNote: '約 15 秒で確定します。',
  otherAmount: amount => `${amount} が届きました。コードの金額とは異なります。チームが判断します。`,
  noMemo: 'この購入を示す文がウォレットによって省かれました。チームが手作業で返金する必要があります。',
  malformed: 'この支払いは購入の形式ではありません。チームが返金する必要があります。',
  unread: 'コードをまだ作成できません。もう一度試します。',
  close: 'しまう',
  done: '完了',
  closeNote: '後から届いた支払いも見つかります。',
  refused: 'コードは作成されませんでした。販売または価格が変わりました。確認してからもう一度押してください。',
} satisfies InvoiceTexts
