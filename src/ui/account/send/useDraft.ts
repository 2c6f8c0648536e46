import { useEffect, useRef, useState } from 'react'
import { plainNumber } from '../../../events/values/amount.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { isAsked, isBeforeWallet, isDead, orderKeyOf, type SendOrder } from '../../../events/subjects/order/order.ts'
import { type Warning, warnings } from '../../../events/subjects/order/orderFacts.ts'
import type { SendDraft } from '../../../events/subjects/page/screen.ts'
import { sendDraft, shownSend } from '../../../events/subjects/order/sends.ts'
import { newOrderKey } from '../../orderKey.ts'
import { useModel, useSurroundings } from '../../react.tsx'

/** Time a press waits for the core before it may be repeated, ms. */
const answerMs = 10_000

/** Confirmations of a person: of oddities of the recipient, and that an earlier transfer may still be sent. */
export type Confirmation = Warning | 'earlier'

type Written = Pick<SendDraft, 'asset' | 'amount' | 'recipient'>

/**
 * The transfer that is being written. A change of it is a page fact, so it outlives its screens and stands in a replay. One function,
 * because writing, asking and the core's refusal are judged by the same draft.
 */
export function useDraft(): {
  draft: Written & { orderKey?: string }
  write(change: Partial<Written>): void
  /** Why the core refused the transfer as it is written. */
  refused: SendOrder | undefined
  /** Has the transfer built; its review opens once it is. */
  request(confirmed: readonly Confirmation[]): void
  isChecking: boolean
} {
  const { store, dispatch, command, ready } = useSurroundings()
  const written = useModel(sendDraft)
  const account = useModel(model => activeConnection(model)?.account) ?? ''
  const madeAt = useModel(model => activeConnection(model)?.connection.madeAt) ?? 0
  const order = useModel(model => shownSend(model.order))
  const { asset, amount, recipient, orderKey } = written ?? { asset: '', amount: '', recipient: '' }
  const [asked, setAsked] = useState<{ key: string; after: string | undefined }>()
  /** Key of the press that is on its way. */
  const held = useRef<string>(undefined)

  const orderId = order?.orderId
  // Another transfer on show is the core's answer
  const isWaiting = asked !== undefined && asked.after === orderId
  const isOurs = order !== undefined && orderKey !== undefined && orderKeyOf(order) === orderKey
  const isReady = isOurs && order.phase === 'pressAwaited'
  const isRefused =
    order !== undefined &&
    orderKey !== undefined &&
    !isWaiting &&
    isDead(order) &&
    !isAsked(order) &&
    (isOurs || matches(order, { asset, recipient }))
  useEffect(
    () => () => {
      held.current = undefined
    },
    [orderId],
  )
  useEffect(() => {
    if (!isReady || asked?.key !== orderKey) return
    dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletSendPreview' } } })
  }, [isReady, asked, orderKey, dispatch])
  useEffect(() => {
    if (asked === undefined) return
    const timer = setTimeout(() => {
      held.current = undefined
      setAsked(undefined)
    }, answerMs)
    return () => clearTimeout(timer)
  }, [asked])

  const say = (change: Partial<Written> & { orderKey?: string }) =>
    dispatch({ type: 'screen.sendDrafted', data: { account, madeAt, asset, amount, recipient, ...change } })
  const letGo = () => {
    held.current = undefined
    setAsked(undefined)
  }
  const request = async (said: readonly Confirmation[]) => {
    if (held.current !== undefined) return
    const key = newOrderKey()
    held.current = key
    setAsked({ key, after: orderId })
    const isWhole = await ready().catch(() => false)
    // The transfer has changed meanwhile, was pressed for again, or is left
    if (held.current !== key) return
    if (!isWhole || activeConnection(store.model())?.account !== account) return letGo()
    say({ orderKey: key })
    const confirmed = warnings.filter(one => said.includes(one))
    const despite = said.includes('earlier') ? { despiteEarlier: true as const } : {}
    const data = { orderKey: key, asset, amount: plainNumber(amount), recipient, confirmed, ...despite }
    command({ type: 'send.request', data })
  }
  return {
    draft: { asset, amount, recipient, ...(orderKey !== undefined && { orderKey }) },
    write(change) {
      if (held.current !== undefined) letGo()
      say(change)
    },
    refused: isRefused ? order : undefined,
    request: confirmed => void request(confirmed),
    isChecking: isWaiting || (isOurs && isBeforeWallet(order) && !isReady),
  }
}

/** A transfer that was refused at the press has no key. */
function matches({ asset, send }: SendOrder, written: Omit<Written, 'amount'>): boolean {
  return asset === written.asset && send.to === written.recipient
}
