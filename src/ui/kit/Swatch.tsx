import { classes } from './classes.ts'

/** A colour key: solid is proven, hatch is unproven, open is not there yet; or the colour of a part, k1–k6. */
export function Swatch({
  of = 'solid',
}: {
  of?: 'solid' | 'hatch' | 'open' | 'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k6'
}) {
  return <span className={classes('swatch', of !== 'solid' && of)} aria-hidden="true" />
}
