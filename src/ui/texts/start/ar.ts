import type { StartTexts } from './en.ts'

export default {
  switchTheme: 'تبديل المظهر',
  onThisPage: 'في هذه الصفحة',
  sale: 'البيع',
  about: 'عن المشروع',
  purchases: 'المشتريات',
  trust: 'من يحتفظ بالأموال',
  tokenomics: 'توزيع الرموز',
  roadmap: 'خارطة الطريق',
  questions: 'أسئلة',
  reloadNeeded: 'يلزم إعادة التحميل.',
  partMissing: 'لم يُحمَّل جزء من هذه الصفحة. لم يُرسل شيء.',
  reloadThis: 'إعادة تحميل هذه الصفحة',
} satisfies StartTexts
