import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icons/Icon.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  path: string
  /** The action in words: the accessible name. */
  label: string
  /** Draws the icon at 16 px. */
  small?: boolean
}

/** An icon-only button: 36 px with 4 px of invisible reach on each side. */
export function IconButton({ path, label, small, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={classes('icon-button', className)} aria-label={label}>
      <Icon path={path} small={small === true} />
    </button>
  )
}
