import { useEffect, useEffectEvent, useRef } from 'react'
import { type ConnectionView, walletName } from '../../events/subjects/wallet/connection.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { basics, type BasicsTexts } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { useNotice } from './useNotice.ts'

/**
 * Toasts a switched or disconnected wallet once the facts say so, whichever side ended the connection.
 *
 * @param onlyOpen true where toasts belong to the modal: none appears while it is closed, and none outlives it
 */
export function ConnectionNews({ onlyOpen = false }: { onlyOpen?: boolean }) {
  const { store } = useSurroundings()
  const notice = useNotice()
  const t = useTexts(basics)
  useClosing(onlyOpen)
  const tell = useEffectEvent((before: ConnectionView, now: ConnectionView) => {
    const news = newsOf(t, before, now)
    if (news !== undefined && (!onlyOpen || store.model().screen.open)) notice('success', news)
  })
  useEffect(() => {
    let before = store.model()
    return store.subscribe(() => {
      const [earlier, now] = [before, store.model()]
      before = now
      // Each network has connections of its own
      const isElsewhere = now.network.offer?.active !== earlier.network.offer?.active
      if (now.connection !== earlier.connection && !isElsewhere) tell(earlier.connection, now.connection)
    })
  }, [store])
  return null
}

/**
 * The modal's closing takes its toast along, also one that came with it: its timer ends there, and the next opening would show it.
 * A toast without an end stays. An embedded modal opens again at once, and shows it.
 */
function useClosing(isOn: boolean): void {
  const { store, dispatch, config } = useSurroundings()
  const isOpen = useModel(({ screen }) => screen.open)
  const wasOpen = useRef(isOpen)
  const hide = useEffectEvent(() => {
    const { toast } = store.model()
    if (isOn && !config.host?.embedded && toast?.autoClose)
      dispatch({ type: 'toast.closed', data: { toastId: toast.toastId } })
  })
  useEffect(() => {
    if (wasOpen.current && !isOpen) hide()
    wasOpen.current = isOpen
  }, [isOpen])
}

/** @returns the sentence for the change between two states; undefined for no news */
function newsOf(t: BasicsTexts, before: ConnectionView, now: ConnectionView): string | undefined {
  const gone = Object.values(before.made).find(({ connectionId }) => !Object.hasOwn(now.made, connectionId))
  if (gone) return t.disconnected(walletName(gone))
  const { active } = now
  // The connecting screen announces a new wallet itself
  const isSwitched = active !== null && before.active !== null && active !== before.active
  return isSwitched && Object.hasOwn(before.made, active) ? t.switched : undefined
}
