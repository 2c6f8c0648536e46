import { useSurroundings } from '../react.tsx'

/** @returns a function that shows a toast on the page, or in the open modal, for 2.5 s */
export function useNotice(): (variant: 'success' | 'error', message: string) => void {
  const { dispatch, now } = useSurroundings()
  return (variant, message) =>
    dispatch({ type: 'toast.shown', data: { toastId: `t${now()}`, variant, message, autoClose: true } })
}
