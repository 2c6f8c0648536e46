import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { atIdle } from '../atIdle.ts'
import { useModel, useDispatch } from '../react.tsx'
import { basics } from '../texts/basics/en.ts'
import { readTexts, useLanguage, useTexts } from '../texts/language.tsx'
import { useNotice } from '../notices/useNotice.ts'

/** Loads the modal; injected so that a test can make it fail. */
type Load = () => Promise<{ Modal: ComponentType }>
export const loadModal: Load = () => import('./Modal.tsx')

/**
 * Outlet of the modal. Loads its code when the page is idle, or at once on opening. Opening retries a failed idle load; if that
 * fails too, the page is outdated.
 */
export function ModalHost({ load = loadModal }: { load?: Load }) {
  const dispatch = useDispatch()
  const notice = useNotice()
  const language = useLanguage()
  const { outdated } = useTexts(basics)
  const open = useModel(model => model.screen.open)
  const [Modal, setModal] = useState<ComponentType>()

  const giveUp = useEffectEvent(() => {
    dispatch({ type: 'screen.closed', data: {} })
    dispatch({ type: 'tab.outdated', data: {} })
    notice('error', outdated)
  })
  // The modal's texts are a chunk of their own; without them it shows English
  const readBoth = useEffectEvent(async () => {
    const loaded = await load()
    await readTexts(language)
    return loaded
  })
  useEffect(() => {
    if (Modal) return
    let current = true
    const start = () => {
      readBoth().then(
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
