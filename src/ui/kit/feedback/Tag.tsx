import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

/** A quiet word at the end of a row or header; the dot marks presence. */
export function Tag({
  tone,
  dot,
  children,
}: {
  tone?: 'good' | 'warn' | 'bad' | 'accent'
  dot?: boolean
  children: ReactNode
}) {
  return (
    <span className={classes('tag', tone && `is-${tone}`, 'layout-inline')}>
      {dot && <span className="dot" />}
      {children}
    </span>
  )
}
