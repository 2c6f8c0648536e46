import { useEffect, useEffectEvent } from 'react'
import { isBeforeWallet, orderKeyOf } from '../../../events/subjects/order/order.ts'
import type { ScreenName } from '../../../events/subjects/page/screen.ts'
import { shownScreen } from '../../../events/subjects/page/screenFold.ts'
import { shownSend } from '../../../events/subjects/order/sends.ts'
import { lateStyles } from '../../lateStyles.ts'
import { useSurroundings } from '../../react.tsx'
import styles from '../../styles/modal-send.css?inline'
import { Confirmed } from './Confirmed.tsx'
import { Form } from './Form.tsx'
import { Preview } from './Preview.tsx'
import { SelectToken } from './SelectToken.tsx'

const screens = {
  WalletSend: Form,
  WalletSendSelectToken: SelectToken,
  WalletSendPreview: Preview,
  WalletSendConfirmed: Confirmed,
} satisfies { [N in ScreenName]?: () => React.ReactNode }

const adopt = lateStyles(styles)

/** A screen of a transfer: its form, the choice of a token, the review, and how it went. */
export function SendScreen({ name }: { name: keyof typeof screens }) {
  useLeaving(name)
  const Screen = screens[name]
  return (
    <div ref={adopt}>
      <Screen />
    </div>
  )
}

/** A transfer that waits for its press is given up when the person leaves its review. */
function useLeaving(name: ScreenName): void {
  const { store, command } = useSurroundings()
  const leave = useEffectEvent(() => {
    const model = store.model()
    const order = shownSend(model.order)
    const key = model.screen.send?.orderKey
    if (!order || key === undefined || orderKeyOf(order) !== key || !isBeforeWallet(order)) return
    const to = shownScreen(model)?.name
    // Once the press was made, the wallet may have been asked already
    if (name === 'WalletSendConfirmed' || to === 'WalletSendPreview' || to === 'WalletSendConfirmed') return
    command({ type: 'order.abandon', data: { orderId: order.orderId } })
  })
  useEffect(() => () => leave(), [])
}
