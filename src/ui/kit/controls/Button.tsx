import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Spinner } from '../Spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  /** One primary button a view; plain is the sunken one. Default plain. */
  kind?: 'primary' | 'plain' | 'outline'
  /** `big` is 52 px high and as wide as its place; `small` is 36 px. */
  size?: 'big' | 'small' | undefined
  wide?: boolean
  icon?: ReactNode
  /** Something is under way: shows a spinner; the label is a gerund. Presses do nothing. */
  busy?: boolean | undefined
  /** Presses do nothing and the label gives the reason; it can still be focused and read. */
  disabled?: boolean | undefined
}

/** A button of at least 44 px (small: 36). Everything a native button takes is passed on. */
export function Button({ kind, size, wide, icon, busy, disabled, children, className, onClick, ...rest }: ButtonProps) {
  const off = busy === true || disabled === true
  // aria-disabled keeps the focus where it is; so the press has to be stopped here, a form's submit included
  const press = (event: MouseEvent<HTMLButtonElement>) => (off ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      {...rest}
      className={classes('btn', kind !== 'plain' && kind, size, wide && 'wide', className)}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}
