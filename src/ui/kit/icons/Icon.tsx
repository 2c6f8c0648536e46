import { classes } from '../classes.ts'

/**
 * A stroked icon in the colour of the text. It never speaks: what it means is a word beside it or the
 * `aria-label` of the control it is in.
 *
 * @param path one of `icons.ts`
 * @param small 16 px with a 1.75 stroke, where 20 px with 1.5 is the rule
 * @param className more classes, such as `go`
 */
export function Icon({ path, small, className }: { path: string; small?: boolean; className?: string }) {
  return (
    <svg className={classes('i', small && 'i-16', className)} viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
