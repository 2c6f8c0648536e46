import { useState } from 'react'
import { type Order, openOrder, orderSignatureOf, walletOf } from '../events/subjects/order.ts'
import { Button } from './kit/controls/Button.tsx'
import { useModel, useSurroundings } from './react.tsx'
import { recordingNote } from './recordingNote.ts'

/** Fallback for the whole page: the state of the order, retry, reload and the recording. Kept minimal so that it renders. */
export function Recovery({ again }: { again: () => void }) {
  const { saveRecording } = useSurroundings()
  const order = useModel(openOrder)
  const signature = order && orderSignatureOf(order)
  const [said, setSaid] = useState('')
  const save = () => {
    saveRecording().then(
      name => setSaid(`Saved ${name ?? ''}`),
      () => setSaid('The report could not be saved.'),
    )
  }
  return (
    <main className="page" role="alert">
      <h1>This page could not be drawn</h1>
      {order ? (
        <p data-testid="order-status" data-phase={order.phase}>
          {standing(order)} {signature && <code data-testid="order-signature">{signature}</code>}
        </p>
      ) : (
        <p>No order is under way. Nothing was paid or lost by this.</p>
      )}
      <p>
        <Button kind="primary" onClick={again}>
          Try again
        </Button>{' '}
        <Button onClick={() => location.reload()}>Reload the page</Button>{' '}
        <Button data-testid="download-recording" onClick={save}>
          Download a problem report
        </Button>
      </p>
      <p>{recordingNote}</p>
      <output>{said}</output>
    </main>
  )
}

function standing(order: Order): string {
  switch (order.phase) {
    case 'awaitingSignature':
      return `Your order goes on: ${walletOf(order)} has been asked to sign it.`
    case 'signed':
    case 'sending':
      return 'Your order goes on: the payment is being sent. Do not pay again.'
    case 'seen':
    case 'confirmed':
      return 'Your payment has arrived and is becoming final. Do not pay again.'
    case 'unknown':
      return 'It is not known yet whether your payment was sent. Do not pay again before this page says so.'
    default:
      return 'Your order is being prepared; nothing is paid yet.'
  }
}
