import { type ReactNode, useLayoutEffect, useState } from 'react'
import type { Model } from '../../../events/app.ts'
import { StoreProvider } from '../../react.tsx'
import { fixedStore, inert } from '../fixedStore.ts'
import { ReplayFrame } from '../Frame.tsx'

/** Renders the real screens; `themed` is the element that carries the theme. */
export type Screens = (themed: HTMLElement) => ReactNode

/**
 * The screens the person saw, rendered from a model and inert.
 *
 * @param at time of the playhead, ms since the Unix epoch; countdowns count from it
 */
export function ScreenPane({ model, at, screens }: { model: Model; at: number; screens: Screens }) {
  const [store] = useState(() => fixedStore(model, at))
  const [surroundings] = useState(() => inert(store))
  useLayoutEffect(() => store.show(model, at), [store, model, at])
  return (
    <div className="screen">
      <ReplayFrame width={model.tab.width} label="The page at this point">
        {root => <StoreProvider value={surroundings}>{screens(root)}</StoreProvider>}
      </ReplayFrame>
    </div>
  )
}
