import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Spinner } from '../feedback/Spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  /** One primary button per view. Default plain, the sunken one. */
  kind?: 'primary' | 'plain' | 'outline'
  /** `big` is 52 px high and fills its container; `small` is 36 px. */
  size?: 'big' | 'small' | undefined
  wide?: boolean
  icon?: ReactNode
  /** Shows a spinner and ignores presses; the label is a gerund. */
  busy?: boolean | undefined
  /** Ignores presses; the label gives the reason. Still focusable and readable. */
  disabled?: boolean | undefined
}

/** A button of at least 44 px (small: 36, 44 under a finger). Passes on every attribute of a native button. */
export function Button({ kind, size, wide, icon, busy, disabled, children, className, onClick, ...rest }: ButtonProps) {
  const off = busy === true || disabled === true
  // aria-disabled, unlike disabled, keeps the focus, so the press is stopped here, a form's submit included
  const press = (event: MouseEvent<HTMLButtonElement>) => (off ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      part="button"
      {...rest}
      className={classes(
        'button',
        kind && kind !== 'plain' && `is-${kind}`,
        size && `is-${size}`,
        size === 'small' && 'touch',
        wide && 'is-wide',
        className,
      )}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}
