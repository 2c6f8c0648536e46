import type { BasicsTexts } from './en.ts'

export default {
  back: '戻る',
  close: '閉じる',
  cancel: 'キャンセル',
  tryAgain: 'もう一度試す',
  timeLeft: time => `残り ${time}。`,
  copied: 'コピーしました',
  notCopied: 'コピーできません',
  connectWallet: 'ウォレットを接続',
  reload: 'ページを再読み込み',
  report: '問題レポートをダウンロード',
  reportSaved: name => `${name} を保存しました`,
  reportFailed: 'レポートを保存できませんでした。',
  reportNote:
    '問題レポートでは、アドレス、名前、金額、日付が置き換えられ、鍵が含まれることはありません。ただし、ほかの支払いや販売条件の変更との時間差から、支払いが特定されることはあります。',
  notShown: '表示できませんでした。もう一度試すか、ページを再読み込みしてください。',
  outdated: 'このページは更新されました。再読み込みしてください。',
  otherBuild: ['このページの別のバージョンが別のタブで開いています。', 'そちらで続けるか、ここで続けてください。'],
  continueHere: 'ここで続ける',
  disconnected: wallet => `${wallet} を切断しました`,
  switched: 'ウォレットを切り替えました',
} satisfies BasicsTexts
