import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { useModel, useSay } from '../react.tsx'
import { useNotice } from '../useNotice.ts'

/** Brings the modal; a function of its own so that it can fail in a test. */
type Load = () => Promise<{ Modal: ComponentType }>
const loadModal: Load = () => import('./Modal.tsx')

/**
 * Where the modal appears. Its code is fetched when the page has nothing else to do, or at once when it is opened.
 * A fetch that fails while nobody waits is tried again on opening; failing then, the page is an old one.
 */
export function ModalHost({ load = loadModal }: { load?: Load }) {
  const say = useSay()
  const notice = useNotice()
  const open = useModel(model => model.screen.open)
  const [Modal, setModal] = useState<ComponentType>()

  const giveUp = useEffectEvent(() => {
    say({ type: 'screen.closed', data: {} })
    say({ type: 'tab.outdated', data: {} })
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

  return open && Modal ? <Modal /> : null
}

/** @returns takes the task back */
function atIdle(task: () => void): () => void {
  // Safari has no idle callback
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(task, { timeout: 3000 })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(task, 300)
  return () => clearTimeout(timer)
}
