import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { atIdle } from '../atIdle.ts'
import { useModel, useDispatch } from '../react.tsx'
import { useNotice } from '../useNotice.ts'

/** Loads the modal; injected so that a test can make it fail. */
type Load = () => Promise<{ Modal: ComponentType }>
const loadModal: Load = () => import('./Modal.tsx')

/**
 * Outlet of the modal. Loads its code when the page is idle, or at once on opening. Opening retries a failed idle load; if that
 * fails too, the page is outdated.
 */
export function ModalHost({ load = loadModal }: { load?: Load }) {
  const dispatch = useDispatch()
  const notice = useNotice()
  const open = useModel(model => model.screen.open)
  const [Modal, setModal] = useState<ComponentType>()

  const giveUp = useEffectEvent(() => {
    dispatch({ type: 'screen.closed', data: {} })
    dispatch({ type: 'tab.outdated', data: {} })
    notice('error', 'This page has changed. Reload it.')
  })
  useEffect(() => {
    if (Modal) return
    let current = true
    const start = () => {
      load().then(
        loaded => current && setModal(() => loaded.Modal),
        () => {
          if (current && open) giveUp()
        },
      )
    }
    const cancel = open ? start() : atIdle(start)
    return () => {
      current = false
      cancel?.()
    }
  }, [Modal, open, load])

  return Modal ? <Modal /> : null
}
