import { type ComponentType, lazy, memo, Suspense, useEffect, useState } from 'react'
import { Button } from '../kit/controls/Button.tsx'
import { useDispatch } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { start } from '../texts/start/en.ts'
import { TopBar } from './TopBar.tsx'

/** Loads everything below the top bar; injected so that a test can make it fail. */
type Load = () => Promise<{ SaleBody: ComponentType }>
const loadBody: Load = () => import('./SaleBody.tsx')

/** @returns the body, once it is loaded; `Gone` when it cannot be */
function bodyOf(load: Load) {
  return lazy(() =>
    load().then(
      ({ SaleBody }) => ({ default: SaleBody }),
      () => ({ default: Gone }),
    ),
  )
}

/**
 * The page. The top bar comes first, so that a wallet can connect while the rest loads; a prerendered page shows its rest
 * meanwhile. If the rest fails to load, the page is outdated and says so. A memo, as a render of it before the rest is here
 * would throw the prerendered rest away, and with it an amount typed there.
 */
export const PresalePage = memo(function PresalePage({ load = loadBody }: { load?: Load }) {
  const [Body] = useState(() => bodyOf(load))
  return (
    <>
      <TopBar />
      <Suspense fallback={<main id="sale" />}>
        <Body />
      </Suspense>
    </>
  )
})

function Gone() {
  const dispatch = useDispatch()
  const { reloadNeeded, partMissing, reloadThis } = useTexts(start)
  useEffect(() => dispatch({ type: 'tab.outdated', data: {} }), [dispatch])
  return (
    <main id="sale">
      <div className="page empty" role="alert">
        <b>{reloadNeeded}</b>
        <p>{partMissing}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {reloadThis}
        </Button>
      </div>
    </main>
  )
}
