import { type ComponentProps, useEffect, useState } from 'react'
import { isOrderOf, isSought } from '../../../../events/subjects/sale/invoice.ts'
import { invoiceCounted, invoiceRefusal } from '../../../../events/sale/saleNow.ts'
import { Skeleton } from '../../../kit/feedback/Skeleton.tsx'
import { Tag } from '../../../kit/feedback/Tag.tsx'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { invoiceArea } from '../../../texts/invoice/en.ts'
import { useTexts } from '../../../texts/language.tsx'
import { saleReason } from '../order/failureWords.ts'
import { useRows } from '../purchases/useRows.ts'
import type { Buying } from '../useBuying.ts'
import { useTick } from '../../sale/useSale.ts'
import { useSaleWords } from '../../saleWords.ts'

const load = async () => (await import('./InvoiceBody.tsx')).InvoiceBody

/** The other way to pay for a person without a connected wallet; a press that made no code is answered here. */
export function PayByCode({ press, refusal }: { press: () => void; refusal: Buying['refusal'] }) {
  const t = useTexts(invoiceArea)
  const words = useSaleWords()
  const why = refusal && saleReason(words, refusal.failure)
  return (
    <p className="buy-plain">
      <button type="button" className="link touch" data-testid="pay-by-code" onClick={press}>
        {t.open}
      </button>{' '}
      <output>
        {refusal ? (
          // New text in the region is announced again
          <span key={refusal.count}>{why ? `${t.notMade} ${why[1]}` : t.refused}</span>
        ) : (
          t.openNote
        )}
      </output>
    </p>
  )
}

type Body = Awaited<ReturnType<typeof load>>

/** The card of a code. Its body is loaded with the first one; a file that is gone makes the page outdated. */
export function InvoiceCard(props: Omit<ComponentProps<Body>, 'isWatched' | 'judged'>) {
  const { dispatch, now } = useSurroundings()
  const isWatched = isSought(props.invoice, now())
  useTick(15_000, isWatched)
  const t = useTexts(invoiceArea)
  const [Loaded, setLoaded] = useState<Body>()
  useEffect(() => {
    let current = true
    load().then(
      body => current && setLoaded(() => body),
      () => current && dispatch({ type: 'tab.outdated', data: {} }),
    )
    return () => {
      current = false
    }
  }, [dispatch])
  const { tags } = useSaleWords().order
  // A payment that is not its order may be anyone's
  const payment =
    props.invoice.payment && isOrderOf(props.invoice, props.invoice.payment) ? props.invoice.payment : undefined
  const isRefused = useModel(model => invoiceRefusal(model, props.invoice) !== undefined)
  // After a failed sale everything comes back, whatever was accepted
  const { rows } = useRows(props.known, props.invoice.buyer)
  const row = rows.find(({ signature }) => signature === props.invoice.payment?.signature)
  const missed = payment && row?.code === 'SALE_FAILED' ? row : undefined
  const judged = row?.code !== undefined && row.counted?.status !== 'accepted' ? row.reason : undefined
  const counted = useModel(model => invoiceCounted(model, props.invoice)?.status) as 'accepted' | 'partial' | undefined
  return (
    <section className="buy order invoice" id="buy" aria-label={t.title} data-testid="invoice">
      <header>
        <h2 tabIndex={-1}>{t.title}</h2>
        <Tag {...(payment && !isRefused && !missed ? { tone: 'accent' } : {})}>
          {payment && !isRefused && !missed && <Swatch of={counted ? 'solid' : 'hatch'} />}
          <output>
            {!payment
              ? isWatched
                ? t.waiting
                : t.unwatched
              : isRefused
                ? tags.notAccepted
                : missed
                  ? missed.status
                  : counted
                    ? tags[counted]
                    : payment.status === 'final'
                      ? tags.final
                      : t.seen}
          </output>
        </Tag>
      </header>
      {Loaded ? <Loaded {...props} isWatched={isWatched} judged={judged} /> : <Skeleton width={200} />}
    </section>
  )
}
