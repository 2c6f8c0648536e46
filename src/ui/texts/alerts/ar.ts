import { isolate } from '../isolate.ts'
import type { AlertsTexts } from './en.ts'

export default {
  remedies: {
    APKT002: (origin: string) => `أضِف ${isolate(origin)} إلى النطاقات المسموح بها للمشروع.`,
    APKT006: () => 'تحقّق من تاريخ هذا الجهاز ووقته.',
    APKT007: () => 'اضبط projectId على معرّف مشروع.',
    APKT008: () => 'اضبط projectId على معرّف مشروع.',
    APKT009: () => 'في خدمة المشروع عطل. سيُعاد سؤالها في الزيارة القادمة.',
    APKT010: () => 'سأل المشروع مرات كثيرة. سيُعاد السؤال في الزيارة القادمة.',
  },
  debug: 'يظهر لأن debug مفعّل.',
  dismiss: 'إخفاء',
} satisfies AlertsTexts
