import { clockIcon } from '../../../kit/icons/icons.ts'
import { Note } from '../../../kit/feedback/Note.tsx'
import { deliveryWords } from '../../sale/deliveryWords.ts'
import type { KnownSale } from '../../sale/saleStatus.ts'
import { useSaleWords } from '../../saleWords.ts'

/** The delivery of a final payment, and the way to its row among the purchases. @param props.isListed these are on the page */
export function Receipt({ known: { terms }, isListed }: { known: KnownSale; isListed: boolean }) {
  const t = useSaleWords()
  return (
    <Note icon={clockIcon} className="layout-above">
      <b>{t.buy.deliveryTitle}</b> {deliveryWords(t, terms)}.{' '}
      {isListed && (
        <a className="link" href="#purchases">
          {t.order.viewInPurchases}
        </a>
      )}
    </Note>
  )
}
