import '../styles/modal.css'
import { ConnectionNews } from '../notices/ConnectionNews.tsx'
import { addSurface } from '../texts/language.tsx'
import { modalTexts } from '../texts/surfaces/surfaces.ts'
import { ModalView } from './ModalView.tsx'

addSurface(modalTexts)

/** The modal with its styles, and the news of connections, as one part that a page loads late. */
export function Modal() {
  return (
    <>
      <ConnectionNews />
      <ModalView />
    </>
  )
}
