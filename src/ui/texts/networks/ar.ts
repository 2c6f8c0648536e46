import { isolate } from '../isolate.ts'
import type { NetworksTexts } from './en.ts'

export default {
  search: 'البحث في الشبكات',
  test: 'تجريبية',
  chooseFrom: network => `${isolate(network)}، اختيار شبكة أخرى`,
  unsupportedName: network => `لا يمكن استخدام ${isolate(network)} هنا، تبديل الشبكة`,
  unknown: 'هذه الشبكة',
  noOther: 'لا توجد شبكة أخرى',
  noOtherNote: 'تعمل هذه الصفحة على شبكة واحدة فقط.',
  noneNamed: text => `لا توجد شبكة باسم «${isolate(text)}»`,
  noneNote: 'تحقق من الكتابة.',
  offline: 'أنت غير متصل بالإنترنت. تُقرأ الشبكة عند عودة الاتصال.',
  notApproved: wallet => `لم توافق عليها ${isolate(wallet)}`,
  mayLack: 'قد لا تتيح محفظتك كل الشبكات.',
  switchingTo: network => `يجري التبديل إلى ${isolate(network)}`,
  nothingSigned: 'لحظة من فضلك. لا يُوقَّع شيء ولا يُرسَل شيء.',
  takesLong: 'يستغرق هذا وقتًا أطول من المعتاد.',
  stillOn: network => `ما زلت على ${isolate(network)}. لم يتغير شيء.`,
  declined: 'رُفض التبديل',
  walletLacks: (wallet, network) => `لم توافق ${isolate(wallet)} على ${isolate(network)}.`,
  busy: 'يوجد طلب قيد التنفيذ',
  busyNote: 'بدّل الشبكة بعد اكتماله.',
  noStorage: 'هذا المتصفح لا يحفظ شيئًا',
  noStorageNote: 'يحتاج التبديل إلى مساحة تخزين.',
  notFound: 'الشبكة غير موجودة',
  notFoundNote: 'لا تتيحها هذه الصفحة.',
  failed: 'تعذّر التبديل',
  notWithWallet: (wallet, network) =>
    `لم توافق ${isolate(wallet)} على ${isolate(network)}. اختر شبكة وافقت عليها، أو افصلها.`,
  notServed: network => `لا يمكن استخدام ${isolate(network)} على هذه الصفحة الآن. اختر شبكة أخرى.`,
  points: {
    ledger: ['تحفظ السجل', 'الشبكة حواسيب كثيرة تحفظ سجلًا واحدًا لما يملكه كل شخص. ورموزك قيود في هذا السجل.'],
    apart: [
      'كل شبكة قائمة بذاتها',
      'الرموز الموجودة على شبكة ليست على غيرها. الشبكات التجريبية مخصصة للتجربة، ورموزها لا قيمة لها.',
    ],
  },
  learnMore: 'معرفة المزيد',
} satisfies NetworksTexts
