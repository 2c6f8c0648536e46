import { useState } from 'react'
import { type Order, openOrder, orderSignatureOf, walletOf } from '../../events/subjects/order/order.ts'
import { Button } from '../kit/controls/Button.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { recoveryArea, type RecoveryTexts } from '../texts/recovery/en.ts'

/** Fallback for the whole page: the state of the order, retry, reload and the recording. Kept minimal so that it renders. */
export function Recovery({ again }: { again: () => void }) {
  const { saveRecording } = useSurroundings()
  const t = useTexts(recoveryArea)
  const { tryAgain, reload, report, reportNote, reportSaved, reportFailed } = useTexts(basics)
  const order = useModel(openOrder)
  const signature = order && orderSignatureOf(order)
  const [said, setSaid] = useState('')
  const save = () => {
    saveRecording().then(
      name => setSaid(reportSaved(name ?? '')),
      () => setSaid(reportFailed),
    )
  }
  return (
    <main className="page" role="alert">
      <h1>{t.notDrawn}</h1>
      {order ? (
        <p data-testid="order-status" data-phase={order.phase}>
          {standing(t, order)} {signature && <code data-testid="order-signature">{signature}</code>}
        </p>
      ) : (
        <p>{t.noOrder}</p>
      )}
      <p>
        <Button kind="primary" onClick={again}>
          {tryAgain}
        </Button>{' '}
        <Button onClick={() => location.reload()}>{reload}</Button>{' '}
        <Button data-testid="download-recording" onClick={save}>
          {report}
        </Button>
      </p>
      <p>{reportNote}</p>
      <output>{said}</output>
    </main>
  )
}

function standing(t: RecoveryTexts, order: Order): string {
  switch (order.phase) {
    case 'awaitingSignature':
      return t.orderAsked(walletOf(order))
    case 'signed':
    case 'sending':
      return t.orderSending
    case 'seen':
    case 'confirmed':
      return t.orderSeen
    case 'unknown':
      return t.orderUnknown
    default:
      return t.orderPrepared
  }
}
