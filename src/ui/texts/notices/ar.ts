import type { NoticeTexts } from './en.ts'

export default {
  retryFailed: 'ما زال الوصول إلى المحفظة متعذرًا. أعد تحميل الصفحة أو حاول لاحقًا.',
  answerUnused: 'تعذّر استخدام رد محفظتك. ستظهر النتيجة هنا.',
  messageUnused: 'تعذّر استخدام رسالة من محفظتك.',
  notDone: 'تعذّر تنفيذ ذلك. نزّل تقريرًا عن المشكلة وأرسله إلى الفريق.',
  notDelivered: 'لم يصل ذلك. حاول مرة أخرى.',
  otherTabBusy: 'يوجد طلب مفتوح في علامة التبويب الأخرى. أكمله هناك ثم تابع هنا.',
  otherTabSilent: 'لا ترد علامة التبويب الأخرى. أغلقها لتتابع هنا.',
  lateSent: 'ردّت محفظتك متأخرة. يجري البحث في السلسلة عن أي شيء أرسلته.',
  lateUnused: 'ردّت محفظتك بعد فوات الأوان. لن يُستخدم ذلك الرد.',
  analyticsRefused: 'إعدادات التطبيق غير صالحة',
  calls: {
    'Token Balance Unavailable': 'الرصيد غير متاح',
    'Failed to fetch transactions': 'تعذّر جلب المعاملات',
  },
} satisfies NoticeTexts
