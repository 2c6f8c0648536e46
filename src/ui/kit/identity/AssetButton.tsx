import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icons/Icon.tsx'
import { down } from '../icons/icons.ts'

interface AssetButtonProps extends ComponentProps<'button'> {
  /** Absent before the choice. */
  mark?: ReactNode
  children: ReactNode
}

/** A token as a pill that leads to a choice of others. */
export function AssetButton({ mark, children, className, ...rest }: AssetButtonProps) {
  return (
    <button type="button" {...rest} className={classes('asset', className)}>
      {mark}
      {children}
      <Icon path={down} small />
    </button>
  )
}
