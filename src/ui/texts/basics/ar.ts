import { isolate } from '../isolate.ts'
import type { BasicsTexts } from './en.ts'

export default {
  back: 'رجوع',
  close: 'إغلاق',
  cancel: 'إلغاء',
  tryAgain: 'حاول مرة أخرى',
  timeLeft: time => `يتبقى ${isolate(time)}.`,
  copied: 'تم النسخ',
  notCopied: 'لم يتم النسخ',
  connectWallet: 'ربط المحفظة',
  reload: 'إعادة تحميل الصفحة',
  report: 'تنزيل تقرير عن المشكلة',
  reportSaved: name => `تم حفظ ${isolate(name)}`,
  reportFailed: 'تعذّر حفظ التقرير.',
  reportNote:
    'في تقرير المشكلة تُستبدل العناوين والأسماء والمبالغ والتواريخ، ولا يحتوي أبدًا على مفتاح. ومع ذلك قد تُعرف دفعة فيه من الزمن الفاصل بينها وبين دفعة أخرى أو تغيير في البيع.',
  notShown: 'تعذّر عرض ذلك. حاول مرة أخرى أو أعد تحميل الصفحة.',
  outdated: 'تغيّرت هذه الصفحة. أعد تحميلها.',
  otherBuild: ['نسخة أخرى من هذه الصفحة مفتوحة في علامة تبويب أخرى.', 'تابع هناك أو هنا.'],
  continueHere: 'تابع هنا',
  disconnected: wallet => `تم فصل ${isolate(wallet)}`,
  switched: 'تم تبديل المحفظة',
} satisfies BasicsTexts
