import { classes } from '../classes.ts'

/**
 * A stroked icon in the text colour, hidden from screen readers: a word beside it or the control's `aria-label` carries the
 * meaning.
 *
 * @param path one of `icons.ts`
 * @param small 16 px with a 1.75 stroke; default 20 px with 1.5
 * @param className more classes, such as `row-go`
 */
export function Icon({ path, small, className }: { path: string; small?: boolean; className?: string }) {
  return (
    <svg className={classes('icon', small && 'icon-small', className)} viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
