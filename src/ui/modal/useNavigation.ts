import { useEffect, useEffectEvent, useRef } from 'react'
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { type Connection, type ConnectionView } from '../../events/subjects/wallet/connection.ts'
import type { Screen } from '../../events/subjects/page/screen.ts'
import { givesWayToAccount, needsAccount, outlivesConnections, staysOpen } from './rules.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { shakeMs } from '../kit/surface/Sheet.tsx'
import { useNotice } from '../notices/useNotice.ts'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'

/** The newest connection that can sign; a reconnected wallet keeps its id. One that is being restored may come to nothing. */
function newestOf({ connection }: Model): Connection | undefined {
  return Object.values(connection.made).reduce<Connection | undefined>(
    (newest, one) => (one.phase !== 'live' || (newest && newest.madeAt >= one.madeAt) ? newest : one),
    undefined,
  )
}

/**
 * Navigation out of a screen. The modal also leaves by itself: a connecting screen after a new connection, a screen of the account
 * without any connection. A wallet added beside others leads to the wallets. `close` asks: a screen that stays refuses it.
 */
export function useNavigation(screen: Screen): { close: () => void; back: () => void } {
  const { store, dispatch, command, now } = useSurroundings()
  const notice = useNotice()
  const { added } = useTexts(modalArea)
  const isConnected = useModel(model => activeConnection(model) !== undefined)
  const newest = useModel(newestOf)
  const before = useRef(newest)
  // One that is repaired was here before the screen
  const wereHere = useRef<ConnectionView['made']>({})
  useEffect(() => {
    wereHere.current = store.model().connection.made
  }, [screen.name, store])

  const refused = useRef(-shakeMs)

  const close = () => {
    if (staysOpen(store.model().screen.history)) {
      // It shakes already
      if (now() - refused.current < shakeMs) return
      refused.current = now()
      return dispatch({ type: 'screen.refused', data: {} })
    }
    leave()
  }
  const leave = () => {
    // an attempt without a screen must not connect later
    if (store.model().connection.attempt.phase !== 'none') command({ type: 'connection.abandon', data: {} })
    dispatch({ type: 'screen.closed', data: {} })
  }

  const back = () => {
    const model = store.model()
    const { history } = model.screen
    // a failed attempt is discarded with its screen; a pending one may still be answered
    if (model.connection.attempt.phase === 'failed') command({ type: 'connection.abandon', data: {} })
    // the review of a transfer that was given to the wallet is over
    if (screen.name === 'WalletSendConfirmed' && activeConnection(model))
      return dispatch({ type: 'screen.opened', data: { screen: { name: 'Account' } } })
    dispatch({ type: 'screen.back', data: {} })
    if (givesWayToAccount(history) && activeConnection(model))
      dispatch({ type: 'screen.replaced', data: { screen: { name: 'Account' } } })
  }

  const goOn = useEffectEvent((made: Connection | undefined) => {
    const isBesideOthers = Object.keys(store.model().connection.made).some(id => id !== made?.connectionId)
    if (!made || !isBesideOthers) return leave()
    dispatch({ type: 'screen.opened', data: { screen: { name: 'ProfileWallets' } } })
    if (!Object.hasOwn(wereHere.current, made.connectionId)) notice('success', added)
  })
  useEffect(() => {
    const had = before.current
    const isNew = newest !== undefined && newest.madeAt > (had?.madeAt ?? 0)
    before.current = newest
    if (needsAccount(screen.name) ? !isConnected : isNew && !outlivesConnections(screen.name))
      goOn(isNew ? newest : undefined)
  }, [newest, isConnected, screen.name])

  return { close, back }
}
