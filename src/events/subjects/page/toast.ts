/** Short notices, one at a time: page facts. */
import {
  choice,
  type DataOf,
  define,
  flag,
  id,
  openField,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'

export const shownToast = {
  toastId: openField(id),
  variant: openField(choice(['success', 'error', 'loading'])),
  message: openField(text),
  autoClose: openField(flag),
}

export const toastFacts = define({
  'toast.shown': v1(shownToast),
  'toast.closed': v1({ toastId: openField(id) }),
})
export type ToastFact = UnionOf<typeof toastFacts>

export type ToastView = DataOf<typeof shownToast> | null
