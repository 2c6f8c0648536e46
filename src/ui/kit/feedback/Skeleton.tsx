import { classes } from '../classes.ts'

/**
 * A shimmering placeholder in the shape of the text to come. Appears after 200 ms.
 *
 * @param width px of the text to come
 * @param tall 40 px high, for a figure; else 12 px
 */
export function Skeleton({ width, tall }: { width: 40 | 64 | 96 | 140 | 200; tall?: boolean }) {
  return (
    <span
      className={classes('skeleton', tall ? 'skeleton-figure' : 'skeleton-line', `skeleton-${width}`)}
      aria-hidden="true"
    />
  )
}
