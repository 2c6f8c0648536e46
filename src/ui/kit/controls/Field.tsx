import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../classes.ts'

interface FieldProps extends Omit<ComponentProps<'input'>, 'aria-label'> {
  /** Accessible name. */
  label: string
  /** An icon before the text. */
  icon?: ReactNode
  /** Error sentence; shown below and describes the field. */
  error?: string | undefined
}

/** A text input, 44 px. Passes on every attribute of a native input. */
export function FormField({ label, icon, error, className, ...rest }: FieldProps) {
  const errorId = useId()
  return (
    <>
      <label className={classes('field', 'layout-grow', error && 'is-bad', rest.disabled && 'is-off', className)}>
        {icon}
        <input
          autoComplete="off"
          {...rest}
          aria-label={label}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
        />
      </label>
      {error && (
        <p className="text-hint text-bad" id={errorId}>
          {error}
        </p>
      )}
    </>
  )
}
