import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icons/Icon.tsx'
import { go as goPath } from './icons/icons.ts'
import { Spinner } from './feedback/Spinner.tsx'

interface RowProps extends Omit<ComponentProps<'button'>, 'name' | 'ref'> {
  mark: ReactNode
  name: ReactNode
  /** A second, quieter line; a disabled row gives its reason here. */
  sub?: ReactNode
  /** A quiet word at the end, usually a `Tag`. */
  tag?: ReactNode
  /** A value at the end, in the weight of the name. */
  end?: ReactNode
  /** An arrow at the end: the row opens a list. */
  leads?: boolean
  /** Replaces the tag by a spinner and ignores presses. */
  busy?: boolean | undefined
  disabled?: boolean | undefined
}

/** A row of a list, 56 px: a button, or plain text without `onClick`. */
export function Row({ mark, name, sub, tag, end, leads, busy, disabled, className, onClick, ...rest }: RowProps) {
  const inside = (
    <>
      {mark}
      <span className="row-name">
        {name}
        {sub && <span className="row-sub">{sub}</span>}
      </span>
      {busy ? <Spinner /> : tag}
      {end && <span className="row-end">{end}</span>}
      {leads && <Icon path={goPath} className="row-go" />}
    </>
  )
  if (!onClick) return <div className={classes('row', 'is-flat', className)}>{inside}</div>
  const off = busy || disabled
  return (
    <button
      type="button"
      part="row"
      {...rest}
      className={classes('row', className)}
      aria-disabled={disabled || undefined}
      aria-busy={busy || undefined}
      onClick={event => (off ? event.preventDefault() : onClick(event))}
    >
      {inside}
    </button>
  )
}
