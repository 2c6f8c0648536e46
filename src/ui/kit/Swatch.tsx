import { classes } from './classes.ts'

/** A square of the one grammar: solid is proven, hatch is on its way, open is not there yet. Or a part's colour, k1–k6. */
export function Swatch({
  of = 'solid',
}: {
  of?: 'solid' | 'hatch' | 'open' | 'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k6'
}) {
  return <span className={classes('swatch', of !== 'solid' && of)} aria-hidden="true" />
}
