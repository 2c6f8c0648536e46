import { Button } from '../../kit/controls/Button.tsx'
import type { Action } from './order/nextAction.ts'

/** Actions whose button does not stand out: none of them pays or connects. */
const quiet: readonly Action['does'][] = ['nothing', 'tick', 'amount', 'sol', 'leave']

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
      kind={quiet.includes(action.does) ? 'plain' : 'primary'}
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
