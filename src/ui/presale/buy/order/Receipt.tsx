import { clockIcon } from '../../../kit/icons/icons.ts'
import { Note } from '../../../kit/feedback/Note.tsx'
import { deliveryWords } from '../../sale/deliveryWords.ts'
import type { KnownSale } from '../../sale/saleStatus.ts'

/** The delivery of a final payment, and the way to its row among the purchases. */
export function Receipt({ known: { terms } }: { known: KnownSale }) {
  return (
    <Note icon={clockIcon} className="layout-above">
      <b>Delivery by the terms:</b> {deliveryWords(terms)}.{' '}
      <a className="link" href="#purchases">
        View in purchases
      </a>
    </Note>
  )
}
