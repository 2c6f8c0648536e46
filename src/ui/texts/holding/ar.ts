import { isolate } from '../isolate.ts'
import type { HoldingTexts } from './en.ts'

export default {
  allocation: 'حصتك',
  allocationAbout: delivery => `${delivery}. يرسلها الفريق، ولا يلزمك فعل شيء.`,
  counted: 'محسوب',
  bonus: 'مكافأة الإحالة',
  notCounted: 'لم يُحسب بعد',
  notCountedNote: 'تحقّق من هذا البيع لترى ما حُسب لك.',
  payouts: 'الدفعات',
  payoutsAbout: 'مقروء من السلسلة ومن خطط الفريق المعلنة: ما يرسله إلى هذه المحفظة.',
  due: day => `تُستحق في ${isolate(day)}`,
  dueBy: day => `تُستحق في موعد أقصاه ${isolate(day)}`,
  notSeen: 'لم يُعثر على دفعة بعد',
  proof: 'إثبات الدفع',
  delivery: 'تسليم',
  refund: 'استرداد',
  arrived: 'وصل',
  referral: 'الإحالة',
  referralAbout: (percent, symbol) =>
    `تكسب ${isolate(percent)} من ${isolate(symbol)} عندما يشتري أحد عبر رابطك بعد أن تكون قد اشتريت. لا يتغير سعره.`,
  link: 'رابط الإحالة الخاص بك',
  copyLink: 'نسخ الرابط',
  pool: amount => `تُدفع من رصيد قدره ${isolate(amount)} حتى ينفد.`,
  earned: (amount, moment) => `المكتسب حتى ${moment}: ${isolate(amount)}.`,
  through: address => `وصلت عبر رابط ${isolate(address)}. سعرك هو نفسه.`,
  linkOwn: 'هذا رابط الإحالة الخاص بك. لا يكسب شيئًا من مشترياتك.',
  linkUnreadable: 'لا يحتوي رابط الإحالة على عنوان صالح، فلا يُحسب لأحد. يمكنك الشراء من دونه.',
} satisfies HoldingTexts
