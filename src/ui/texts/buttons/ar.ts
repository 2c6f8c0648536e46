import type { ButtonsTexts } from './en.ts'

export default {
  connecting: 'جارٍ الاتصال',
  unknownNetwork: 'شبكة غير معروفة',
  selectNetwork: 'اختيار الشبكة',
} satisfies ButtonsTexts
