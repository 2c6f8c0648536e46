import { isolate } from '../isolate.ts'
import type { RecoveryTexts } from './en.ts'

export default {
  notDrawn: 'تعذّر عرض هذه الصفحة',
  noOrder: 'لا يوجد طلب جارٍ. لم يُدفع شيء ولم يضع شيء بسبب ذلك.',
  orderAsked: wallet => `طلبك مستمر: طُلب من ${isolate(wallet)} توقيعه.`,
  orderSending: 'طلبك مستمر: يجري إرسال الدفعة. لا تدفع مرة أخرى.',
  orderSeen: 'وصلت دفعتك وهي في طور التثبيت النهائي. لا تدفع مرة أخرى.',
  orderUnknown: 'لا يُعرف بعد هل أُرسلت دفعتك. لا تدفع مرة أخرى قبل أن تخبرك هذه الصفحة.',
  orderPrepared: 'يجري تجهيز طلبك؛ لم يُدفع شيء بعد.',
} satisfies RecoveryTexts
