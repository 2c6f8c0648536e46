import type { ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'

/** An empty or failed list: an icon, a bold fact, one sentence on the way out, at most one button. */
export function Empty({
  icon,
  fact,
  children,
  action,
}: {
  icon: string
  fact: ReactNode
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      <Icon path={icon} />
      <b>{fact}</b>
      <p>{children}</p>
      {action}
    </div>
  )
}
