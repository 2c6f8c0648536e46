import '../styles/modal.css'
import { ModalView } from './ModalView.tsx'

/** The modal and its styles, as one part that a page loads late. */
export function Modal() {
  return <ModalView />
}
