import '../styles/modal.css'
import { addSurface } from '../texts/language.tsx'
import { modalTexts } from '../texts/surfaces/surfaces.ts'
import { ModalView } from './ModalView.tsx'

addSurface(modalTexts)

/** The modal and its styles, as one part that a page loads late. */
export function Modal() {
  return <ModalView />
}
