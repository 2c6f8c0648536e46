import type { ToastFact, ToastView } from './toast.ts'

export function foldToast(model: { toast: ToastView }, fact: ToastFact): void {
  if (fact.type === 'toast.shown') model.toast = fact.data
  else if (fact.type === 'toast.closed' && model.toast?.toastId === fact.data.toastId) model.toast = null
}
