import { useEffect, useEffectEvent } from 'react'
import { type ConnectionView, walletName } from '../events/subjects/connection.ts'
import { useSurroundings } from './react.tsx'
import { useNotice } from './useNotice.ts'

/**
 * Says that a wallet was switched or disconnected once the facts say so, whoever ended the connection.
 *
 * @param onlyOpen true where nothing shows a notice while the modal is closed
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

/** @returns the sentence about what changed between two states; undefined when nothing is to be said */
function newsOf(before: ConnectionView, now: ConnectionView): string | undefined {
  const gone = Object.values(before.made).find(({ connectionId }) => !Object.hasOwn(now.made, connectionId))
  if (gone) return `${walletName(gone)} disconnected`
  const { active } = now
  // A wallet that was just connected is told by its screen
  const isSwitched = active !== null && before.active !== null && active !== before.active
  return isSwitched && Object.hasOwn(before.made, active) ? 'Wallet switched' : undefined
}
