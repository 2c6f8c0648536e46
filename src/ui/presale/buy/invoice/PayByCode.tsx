import { type ComponentProps, useEffect, useState } from 'react'
import { Skeleton } from '../../../kit/feedback/Skeleton.tsx'
import { useDispatch, useModel } from '../../../react.tsx'
import { invoiceArea } from '../../../texts/invoice/en.ts'
import { useTexts } from '../../../texts/language.tsx'

const load = async () => (await import('./InvoiceCard.tsx')).InvoiceCard

/** The other way to pay for a person without a connected wallet; a press that made no code is answered here. */
export function PayByCode({ press }: { press: () => void }) {
  const t = useTexts(invoiceArea)
  const isRefused = useModel(model => model.invoice?.refused !== undefined)
  return (
    <p className="buy-plain">
      <button type="button" className="link touch" data-testid="pay-by-code" onClick={press}>
        {t.open}
      </button>{' '}
      <output>{isRefused ? t.refused : t.openNote}</output>
    </p>
  )
}

type Card = Awaited<ReturnType<typeof load>>

/** The card of a code, loaded with the first one. A file that is gone makes the page outdated. */
export function LateInvoice(props: ComponentProps<Card>) {
  const dispatch = useDispatch()
  const [Loaded, setLoaded] = useState<Card>()
  useEffect(() => {
    let current = true
    load().then(
      card => current && setLoaded(() => card),
      () => current && dispatch({ type: 'tab.outdated', data: {} }),
    )
    return () => {
      current = false
    }
  }, [dispatch])
  if (Loaded) return <Loaded {...props} />
  return (
    <section className="buy" id="buy" aria-busy="true">
      <Skeleton width={200} />
    </section>
  )
}
