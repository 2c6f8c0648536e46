import { useEffect, useEffectEvent } from 'react'
import { own } from '../runtime/schema/own.ts'
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
    if (news && (!onlyOpen || store.model().screen.open)) notice(news.tone ?? 'success', news.text)
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
function newsOf(before: ConnectionView, now: ConnectionView): { text: string; tone?: 'error' } | undefined {
  const gone = Object.values(before.made).find(({ connectionId }) => !Object.hasOwn(now.made, connectionId))
  if (gone) return { text: `${walletName(gone)} disconnected` }
  const { active, made, ended = [] } = now
  // A connected wallet leaves this list too
  if (ended.length < (before.ended?.length ?? 0) && made === before.made) return { text: 'Wallet deleted' }
  const [was, is] = [before.active, active].map(id => (id === null ? undefined : own(made, id)))
  // The connecting screen announces a new wallet itself
  if (!was || !is || !Object.hasOwn(before.made, is.connectionId)) return undefined
  if (was.connectionId !== is.connectionId)
    return is.phase === 'missing' ? { text: 'Failed to switch wallet', tone: 'error' } : { text: 'Wallet switched' }
  return is.chosen === own(before.made, is.connectionId)?.chosen ? undefined : { text: 'Account switched' }
}
