import type { ButtonsTexts } from './en.ts'

export default {
  connecting: '接続中',
  unknownNetwork: '不明なネットワーク',
  selectNetwork: 'ネットワークを選ぶ',
} satisfies ButtonsTexts
