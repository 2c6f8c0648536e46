import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import { plus } from '../icons/icons.ts'

/** A question whose answer is there on demand; native, so it is found by a search on the page. */
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
