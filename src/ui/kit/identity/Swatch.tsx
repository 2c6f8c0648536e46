import { classes } from '../classes.ts'

/** A colour key: solid is proven, hatch is unproven, open is not there yet. */
export function Swatch({
  of = 'solid',
  className,
}: {
  of?: 'solid' | 'hatch' | 'open'
  /** Another colour, as a class. */
  className?: string
}) {
  return <span className={classes('swatch', of !== 'solid' && `is-${of}`, className)} aria-hidden="true" />
}
