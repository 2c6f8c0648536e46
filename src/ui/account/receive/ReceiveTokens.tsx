import { Button } from '../../kit/controls/Button.tsx'
import { useDispatch } from '../../react.tsx'
import { activityArea } from '../../texts/activity/en.ts'
import { useTexts } from '../../texts/language.tsx'

/** The next step of an account without tokens or transactions: its address to receive some. */
export function ReceiveTokens() {
  const dispatch = useDispatch()
  const { receiveSome } = useTexts(activityArea)
  const show = () => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })
  return (
    <Button size="small" data-testid="receive-tokens" onClick={show}>
      {receiveSome}
    </Button>
  )
}
