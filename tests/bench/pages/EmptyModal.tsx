import '../../../src/ui/styles/modal.css'
import { shownScreen } from '../../../src/events/subjects/screen.ts'
import { Sheet } from '../../../src/ui/kit/surface/Sheet.tsx'
import { useModel, useDispatch } from '../../../src/ui/react.tsx'

/** Replaces the product's modal by its empty frame: the minimum cost of opening one. */
export function Modal() {
  const dispatch = useDispatch()
  const open = useModel(model => shownScreen(model) !== undefined)
  const close = () => dispatch({ type: 'screen.closed', data: {} })
  return open ? (
    <Sheet title="Connect wallet" viewKey="empty" onClose={close}>
      <p data-testid="nothing">Nothing</p>
    </Sheet>
  ) : null
}
