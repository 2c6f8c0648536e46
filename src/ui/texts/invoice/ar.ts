import { isolate } from '../isolate.ts'
import type { InvoiceTexts } from './en.ts'

export default {
  open: 'ادفع بالرمز بدلا من ذلك',
  openNote: 'بلا اتصال: تمسحه أي محفظة Solana.',
  title: 'الدفع بالرمز',
  waiting: 'في انتظار الدفعة',
  seen: 'مؤكدة',
  final: 'نهائية',
  scan: 'امسحه بمحفظة Solana ووافق على هذه الدفعة بالضبط.',
  codeFor: amount => `رمز لدفع ${isolate(amount)}`,
  openWallet: 'افتح محفظة',
  copyLink: 'انسخ الرابط',
  copied: 'نُسخ الرابط',
  notCopied: 'تعذر نسخ الرابط',
  until: least => `قد يتغير السعر حتى تدفع. تحصل على ${isolate(least)} على الأقل، وإلا تُعاد دفعتك.`,
  paidBy: address => `دفعها ${isolate(address)}. تذهب الرموز والمبالغ المستردة إلى هذا الحساب.`,
  seenNote: 'تصبح نهائية خلال نحو 15 ثانية.',
  otherAmount: amount => `وصل ${isolate(amount)}، وليس مبلغ الرمز. يحكم الفريق في ذلك.`,
  noMemo: 'أغفلت المحفظة النص الذي يسمي هذا الشراء. على الفريق إعادة الدفعة يدويا.',
  malformed: 'ليست الدفعة على هيئة شراء. على الفريق إعادتها.',
  unread: 'تعذر إنشاء الرمز بعد. تجري المحاولة مرة أخرى.',
  close: 'ضعه جانبا',
  done: 'تم',
  closeNote: 'تُكتشف أيضا دفعة تصل لاحقا.',
  refused: 'لم يُنشأ أي رمز: تغير البيع أو سعره. تحقق ثم اضغط مرة أخرى.',
} satisfies InvoiceTexts
