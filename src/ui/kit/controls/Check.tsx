import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../classes.ts'

interface CheckProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'children'> {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The form was submitted without this box ticked. */
  missing?: boolean | undefined
  children: ReactNode
}

/** A checkbox with its statement: a native box of 18 px in a line of 44. */
export function Checkbox({ checked, onChange, missing, children, ...rest }: CheckProps) {
  return (
    <label className={classes('check', missing && !checked && 'is-missing')}>
      <input
        type="checkbox"
        {...rest}
        checked={checked}
        onChange={event => onChange(event.target.checked)}
        aria-invalid={(missing && !checked) || undefined}
      />
      <span>{children}</span>
    </label>
  )
}
