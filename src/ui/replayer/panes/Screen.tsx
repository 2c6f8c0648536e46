import { type ReactNode, useLayoutEffect, useState } from 'react'
import type { Model } from '../../../events/app.ts'
import { StoreProvider } from '../../react.tsx'
import { fixedStore, inert } from '../fixedStore.ts'
import { Frame } from '../Frame.tsx'

/** Draws the real screens; `themed` is the element that carries the theme. */
export type Screens = (themed: HTMLElement) => ReactNode

/**
 * The same screens as the person saw, from a model: nothing in them can be pressed, and nothing leaves them.
 *
 * @param at the time at the playhead, ms since the Unix epoch; countdowns count to it
 */
export function Screen({ model, at, screens }: { model: Model; at: number; screens: Screens }) {
  const [store] = useState(() => fixedStore(model, at))
  const [surroundings] = useState(() => inert(store))
  useLayoutEffect(() => store.show(model, at), [store, model, at])
  return (
    <div className="stage">
      <Frame width={model.tab.width} label="The page at this point">
        {root => <StoreProvider value={surroundings}>{screens(root)}</StoreProvider>}
      </Frame>
    </div>
  )
}
