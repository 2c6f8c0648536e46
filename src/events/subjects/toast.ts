/** Short notices, one at a time: page facts. */
import { choice, define, flag, id, open, text, type UnionOf, v1 } from '../schema/registry.ts'

export const shownToast = {
  toastId: open(id),
  variant: open(choice(['success', 'error', 'loading'])),
  message: open(text),
  autoClose: open(flag),
}

export const toastFacts = define({
  'toast.shown': v1(shownToast),
  'toast.closed': v1({ toastId: open(id) }),
})
export type ToastFact = UnionOf<typeof toastFacts>

export type Toast = { toastId: string; variant: 'success' | 'error' | 'loading'; message: string; autoClose: boolean }
export type ToastView = Toast | null

export function foldToast(model: { toast: ToastView }, fact: ToastFact): void {
  if (fact.type === 'toast.shown') model.toast = fact.data
  else if (fact.type === 'toast.closed' && model.toast?.toastId === fact.data.toastId) model.toast = null
}
