import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../classes.ts'

interface FieldProps extends Omit<ComponentProps<'input'>, 'aria-label'> {
  /** Its name for who cannot see it. */
  label: string
  /** An icon before the text. */
  icon?: ReactNode
  /** What is wrong, as a sentence; stands below and is read with the field. */
  error?: string | undefined
}

/** A line of text to fill in, 44 px. Everything a native input takes is passed on. */
export function Field({ label, icon, error, className, ...rest }: FieldProps) {
  const errorId = useId()
  return (
    <>
      <label className={classes('field', 'grow-1', error && 'is-bad', rest.disabled && 'is-off', className)}>
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
        <p className="hint bad" id={errorId}>
          {error}
        </p>
      )}
    </>
  )
}
