import { isolate } from '../isolate.ts'
import { pluralIn } from '../plural.ts'
import type { FeedTexts } from './en.ts'

const plural = pluralIn('ar')

export default {
  title: 'أحدث المشتريات',
  about: 'كما تسردها إحدى العُقد. يمكن لأي شخص كتابة سطر كهذا، وقد تُرفض الدفعة لاحقًا: الدفاتر وحدها هي المعتمدة.',
  show: 'عرض أحدث 20',
  again: 'القراءة مجددًا',
  reading: 'تجري قراءة القائمة',
  asOf: moment => `القائمة بتاريخ ${isolate(moment)}، غير متحقَّق منها.`,
  unverified: 'غير متحقَّق منه',
  quoted: tokens => `مقابل ${isolate(tokens)}`,
  noTime: 'الوقت غير معروف',
  none: 'لا توجد مشتريات في القائمة.',
  other: (count, text) =>
    plural(count, {
      one: 'سطر واحد آخر ليس طلبًا في هذا البيع.',
      two: 'سطران آخران ليسا طلبين في هذا البيع.',
      few: `${isolate(text)} أسطر أخرى ليست طلبات في هذا البيع.`,
      other: `${isolate(text)} سطرًا آخر ليست طلبات في هذا البيع.`,
    }),
  failed: 'تعذّرت قراءة القائمة.',
  contradicts: 'قائمة العُقدة متناقضة، لذا لا تُعرض.',
} satisfies FeedTexts
