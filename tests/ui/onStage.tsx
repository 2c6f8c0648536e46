/** The stage with React, for tests. */
import { act, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import { StoreProvider, type Surroundings } from '../../src/ui/react.tsx'
import './lateParts.ts'
import { stage } from './modalStage.ts'

/** A stage whose facts are folded and rendered before the next line runs. */
export function onStage(over: Partial<Surroundings> = {}) {
  const made = stage(over)
  return {
    ...made,
    facts: (...facts: CoreSideFact[]) => act(() => made.facts(...facts)),
    page: (...facts: PageFact[]) => act(() => made.page(...facts)),
    show: (element: ReactElement) => render(<StoreProvider value={made.surroundings}>{element}</StoreProvider>),
  }
}

/** Runs callbacks of settled promises. */
export const settle = () => act(async () => {})
