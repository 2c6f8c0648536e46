import type { AlertsTexts } from './en.ts'

export default {
  remedies: {
    APKT002: (origin: string) => `${origin}をプロジェクトの許可ドメインに追加してください。`,
    APKT006: () => 'この端末の日付と時刻を確認してください。',
    APKT007: () => 'projectIdにプロジェクトのIDを設定してください。',
    APKT008: () => 'projectIdにプロジェクトのIDを設定してください。',
    APKT009: () => 'プロジェクトのサービスに障害があります。次の訪問時に再び問い合わせます。',
    APKT010: () => 'プロジェクトの問い合わせが多すぎました。次の訪問時に再び問い合わせます。',
  },
  debug: 'debugがオンのため表示しています。',
  dismiss: '閉じる',
} satisfies AlertsTexts
