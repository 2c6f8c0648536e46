import { useEffect, useEffectEvent } from 'react'
import { type ConnectionView, walletName } from '../events/subjects/connection.ts'
import { useSurroundings } from './react.tsx'
import { useNotice } from './useNotice.ts'

/**
 * Toasts a switched or disconnected wallet once the facts say so, whichever side ended the connection.
 *
 * @param onlyOpen true where no toast appears while the modal is closed
 */
export function ConnectionNews({ onlyOpen = false }: { onlyOpen?: boolean }) {
  const { store } = useSurroundings()
  const notice = useNotice()
  const tell = useEffectEvent((before: ConnectionView, now: ConnectionView) => {
    const news = newsOf(before, now)
    if (news !== undefined && (!onlyOpen || store.model().screen.open)) notice('success', news)
  })
  useEffect(() => {
    let before = store.model().connection
    return store.subscribe(() => {
      const now = store.model().connection
      if (now === before) return
      const earlier = before
      before = now
      tell(earlier, now)
    })
  }, [store])
  return null
}

/** @returns the sentence for the change between two states; undefined for no news */
function newsOf(before: ConnectionView, now: ConnectionView): string | undefined {
  const gone = Object.values(before.made).find(({ connectionId }) => !Object.hasOwn(now.made, connectionId))
  if (gone) return `${walletName(gone)} disconnected`
  const { active } = now
  // The connecting screen announces a new wallet itself
  const isSwitched = active !== null && before.active !== null && active !== before.active
  return isSwitched && Object.hasOwn(before.made, active) ? 'Wallet switched' : undefined
}
