import type { NoticeTexts } from './en.ts'

export default {
  retryFailed: 'まだウォレットに接続できません。ページを再読み込みするか、後でもう一度お試しください。',
  answerUnused: 'ウォレットの応答を使用できませんでした。結果はここに表示されます。',
  messageUnused: 'ウォレットからのメッセージを使用できませんでした。',
  notDone: '実行できませんでした。問題レポートをダウンロードしてチームに送ってください。',
  notDelivered: '届きませんでした。もう一度お試しください。',
  otherTabBusy: '別のタブで注文が進行中です。そちらで完了してから、ここで続けてください。',
  otherTabSilent: '別のタブが応答しません。ここで続けるには、そのタブを閉じてください。',
  lateSent: 'ウォレットの応答が遅れました。送信されたものがないかチェーンを確認しています。',
  lateUnused: 'ウォレットの応答が遅すぎました。その応答は使われません。',
  analyticsRefused: 'アプリの設定が無効です',
  calls: {
    balance: '残高を取得できません',
    history: '取引を取得できませんでした',
  },
} satisfies NoticeTexts
