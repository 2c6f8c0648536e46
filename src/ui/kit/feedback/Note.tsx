import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icons/Icon.tsx'
import { info, warn } from '../icons/icons.ts'
import { checkIcon } from '../icons/iconsOfStart.ts'

const usual = { warn: info, bad: warn, good: checkIcon }

/**
 * An inline notice: icon, bold verdict, sentence.
 *
 * @param icon overrides the tone's own icon
 * @param live announced on appearance: `alert` at once, `status` at the next pause
 */
export function Note(props: {
  tone?: 'warn' | 'bad' | 'good'
  icon?: string
  live?: 'status' | 'alert'
  className?: string
  'data-testid'?: string
  children: ReactNode
}) {
  const { tone, icon, live, className, children } = props
  return (
    <div className={classes('note', tone && `is-${tone}`, className)} role={live} data-testid={props['data-testid']}>
      <Icon path={icon ?? (tone ? usual[tone] : info)} />
      <span>{children}</span>
    </div>
  )
}
