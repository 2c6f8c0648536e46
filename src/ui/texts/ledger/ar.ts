import { isolate } from '../isolate.ts'
import { pluralIn } from '../plural.ts'
import type { LedgerTexts } from './en.ts'

const plural = pluralIn('ar')

export default {
  title: 'تحقّق من هذا البيع',
  about: 'يقرأ متصفحك كل دفعة من السلسلة ويعيد حساب أرقام هذه الصفحة.',
  verify: 'تحقّق',
  listing: 'يجري إعداد قائمة الدفعات',
  listed: count => `${count} حتى الآن. يمكنك المغادرة، ويستمر عند عودتك.`,
  reading: 'تجري قراءة الدفعات',
  read: (count, total) => `${count} من ${total}. يمكنك المغادرة، ويستمر عند عودتك.`,
  paused: 'متوقف مؤقتًا',
  pausedAt: (count, total) => `قُرئ ${count} من ${total}.`,
  pause: 'إيقاف مؤقت',
  goOn: 'متابعة',
  stop: 'إنهاء',
  stopped: 'أُنهي قبل اكتماله. لم يُقارَن شيء.',
  matches: 'متطابق',
  matchesFact: moment => `أرقام الفريق بتاريخ ${moment} هي أرقام السلسلة.`,
  differs: 'غير متطابق',
  differsFact: moment => `أرقام الفريق بتاريخ ${moment} ليست أرقام السلسلة. الشراء متوقف على هذا الجهاز.`,
  computed: 'اكتمل الحساب',
  published: moment => `أرقام الفريق الموقّعة بتاريخ ${moment}:`,
  nothingPublished: 'لم ينشر الفريق أرقامًا للمقارنة بها.',
  behind: 'لم تُقارن أرقام الفريق: لم تصل عقدة Solana إلى تلك النقطة بعد. حاول مرة أخرى.',
  unannounced: 'لم تُقارن أرقام الفريق: ملفها ليس الملف المُعلن. حاول لاحقًا.',
  fileMissing: 'لم تُقارن أرقام الفريق: تعذّرت قراءة ملفها. حاول مرة أخرى.',
  team: 'الفريق',
  chain: 'السلسلة',
  upTo: (moment, count, text) =>
    plural(count, {
      one: `المعاملة الوحيدة حتى ${moment}:`,
      two: `المعاملتان حتى ${moment}:`,
      other: `كل المعاملات حتى ${moment}، وعددها ${text}:`,
    }),
  again: 'مرة أخرى',
  failed: 'لم يُتحقَّق',
  contradicts: 'إجابات السلسلة متناقضة: دفعة ناقصة أو مختلَقة. حاول لاحقًا.',
  silent: `لا ترد شبكة ${isolate('Solana')}. حاول لاحقًا.`,
  version: 'إصدار سابق من الشروط مفقود أو عُدّل.',
  other: 'حدث أمر غير متوقع. حاول مرة أخرى.',
  figures: {
    raised: 'المبلغ المجموع',
    pos: 'الموضع على درج الأسعار',
    tokens: 'المبيع',
    orders: 'الطلبات',
    buyers: 'المشترون',
    refundsOwed: 'إجمالي ما يُردّ',
    outflows: 'ما خرج من الخزينة',
    balances: 'في الخزينة',
    hash: 'بصمة الدفتر',
  },
  none: 'لا شيء',
} satisfies LedgerTexts
