import { Button } from '../../kit/controls/Button.tsx'
import type { Action } from './nextAction.ts'

/** The one button. What it cannot do yet is its label; then it is quiet, but can still be focused and read. */
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
      kind={idle || action.does === 'tick' ? 'plain' : 'primary'}
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
