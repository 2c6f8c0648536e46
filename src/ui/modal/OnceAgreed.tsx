import type { ReactNode } from 'react'
import { useModel } from '../react.tsx'
import { useDocuments } from './documents.tsx'
import { lazyScreen } from '../lazyScreen.tsx'

const Agreement = lazyScreen(async () => (await import('./Agreement.tsx')).Agreement)

/** Content that waits for a tick, where the host has its visitors agree to documents first. */
export function OnceAgreed({ children }: { children: ReactNode }) {
  const isOn = useModel(({ tab }) => tab.features?.legalCheckbox === true)
  const documents = useDocuments()
  return isOn && documents ? <Agreement {...documents}>{children}</Agreement> : children
}
