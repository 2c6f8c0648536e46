import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import { plus } from '../icons/icons.ts'

/** A question with a collapsible answer; native `details`, so that find-in-page opens it. */
export function Disclosure({ summary, open, children }: { summary: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details open={open}>
      <summary>
        {summary}
        <Icon path={plus} />
      </summary>
      {children}
    </details>
  )
}
