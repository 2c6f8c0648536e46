import { Button } from '../../kit/controls/Button.tsx'
import type { Action } from './order/nextAction.ts'

/** The buy button. Its label names the obstacle; then it is quiet, but still focusable and readable. */
export function BuyButton({
  action,
  press,
  testid = 'buy-button',
}: {
  action: Action
  press: () => void
  testid?: string
}) {
  const idle = action.does === 'nothing'
  return (
    <Button
      kind={idle || action.does === 'tick' || action.does === 'amount' ? 'plain' : 'primary'}
      size="big"
      wide
      busy={action.busy}
      disabled={idle}
      onClick={press}
      data-testid={testid}
    >
      {action.label}
    </Button>
  )
}
