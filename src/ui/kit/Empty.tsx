import type { ReactNode } from 'react'
import { Icon } from './icons/Icon.tsx'

/** Nothing here yet, or it failed: an icon, a bold fact, one sentence on what fills it, at most one button. */
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
