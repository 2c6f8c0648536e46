import { useEffect, useEffectEvent, useRef } from 'react'
import type { Model } from '../../events/app.ts'
import { activeConnection, type Connection } from '../../events/subjects/connection.ts'
import type { Screen } from '../../events/subjects/screen.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { useNotice } from '../useNotice.ts'

/** The newest connection; a reconnected wallet keeps its id. */
function newestOf({ connection }: Model): Connection | undefined {
  return Object.values(connection.made).reduce<Connection | undefined>(
    (newest, one) => (newest && newest.madeAt >= one.madeAt ? newest : one),
    undefined,
  )
}

/** Screens about the connected account: without one there is nothing to show. */
const ofAccount: ReadonlySet<Screen['name']> = new Set(['Account', 'WalletReceive', 'WalletCompatibleNetworks'])

/**
 * Navigation out of a screen. The modal also leaves by itself: a connecting screen after a new connection, a screen of the account
 * without any connection. A wallet added beside others leads to the account.
 */
export function useNavigation(screen: Screen): { close: () => void; back: () => void } {
  const { store, dispatch, command } = useSurroundings()
  const notice = useNotice()
  const isConnected = useModel(model => activeConnection(model) !== undefined)
  const newest = useModel(newestOf)
  const before = useRef(newest)

  const close = () => {
    // an attempt without a screen must not connect later
    if (store.model().connection.attempt.phase !== 'none') command({ type: 'connection.abandon', data: {} })
    dispatch({ type: 'screen.closed', data: {} })
  }

  const back = () => {
    const model = store.model()
    const { history } = model.screen
    // a failed attempt is discarded with its screen; a pending one may still be answered
    if (model.connection.attempt.phase === 'failed') command({ type: 'connection.abandon', data: {} })
    const uncovered = history[history.length - 2]
    if (uncovered?.name === 'Connect' && activeConnection(model))
      dispatch({ type: 'screen.opened', data: { screen: { name: 'Account' } } })
    else dispatch({ type: 'screen.back', data: {} })
  }

  const leave = useEffectEvent((isBesideOthers: boolean) => {
    if (!isBesideOthers) return close()
    dispatch({ type: 'screen.opened', data: { screen: { name: 'Account' } } })
    notice('success', 'New wallet added')
  })
  useEffect(() => {
    const had = before.current
    const isNew = newest !== undefined && newest.madeAt > (had?.madeAt ?? 0)
    before.current = newest
    if (ofAccount.has(screen.name) ? !isConnected : isNew)
      leave(isNew && had !== undefined && had.connectionId !== newest.connectionId)
  }, [newest, isConnected, screen.name])

  return { close, back }
}
