import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../kit/controls/Button.tsx'
import { useDispatch } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { start } from '../texts/start/en.ts'
import { TopBar } from './TopBar.tsx'

/** Loads everything below the top bar; injected so that a test can make it fail. */
type Load = () => Promise<{ SaleBody: ComponentType }>
const loadBody: Load = () => import('./SaleBody.tsx')

/**
 * The page. The top bar comes first, so that a wallet can connect while the rest loads. If the rest fails to load, the page is
 * outdated and says so.
 */
export function PresalePage({ load = loadBody }: { load?: Load }) {
  const dispatch = useDispatch()
  const [body, setBody] = useState<{ Shown?: ComponentType; gone?: true }>({})
  useEffect(() => {
    let current = true
    load().then(
      ({ SaleBody }) => current && setBody({ Shown: SaleBody }),
      () => {
        if (!current) return
        dispatch({ type: 'tab.outdated', data: {} })
        setBody({ gone: true })
      },
    )
    return () => {
      current = false
    }
  }, [load, dispatch])
  const { Shown, gone } = body
  return (
    <>
      <TopBar />
      {Shown ? <Shown /> : <main id="sale">{gone && <Gone />}</main>}
    </>
  )
}

function Gone() {
  const { reloadNeeded, partMissing, reloadThis } = useTexts(start)
  return (
    <div className="page empty" role="alert">
      <b>{reloadNeeded}</b>
      <p>{partMissing}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {reloadThis}
      </Button>
    </div>
  )
}
