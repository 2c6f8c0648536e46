/** The stage with React and the test's hands on it. */
import { act, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import { StoreProvider, type Surroundings } from '../../src/ui/react.tsx'
import { stage } from './modalStage.ts'

/** A stage whose facts are folded and drawn before the next line runs. */
export function onStage(over: Partial<Surroundings> = {}) {
  const made = stage(over)
  return {
    ...made,
    facts: (...facts: CoreSideFact[]) => act(() => made.facts(...facts)),
    page: (...facts: PageFact[]) => act(() => made.page(...facts)),
    show: (element: ReactElement) => render(<StoreProvider value={made.surroundings}>{element}</StoreProvider>),
  }
}

/** Lets answers that are ready arrive. */
export const settle = () => act(async () => {})
