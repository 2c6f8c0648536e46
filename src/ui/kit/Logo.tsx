import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** Which of the six muted tints a name gets, 1–6: always the same one for the same name. */
export function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return (sum % 6) + 1
}

interface LogoProps {
  /** Whose mark it is; its first letter is shown until the picture comes, and for ever if none does. */
  name: string
  /** A blob: or data: address of a picture whose size was read: drawing it costs little, and off the page's thread. */
  src?: string | undefined
  /** An icon or a glyph in place of the letter. */
  children?: ReactNode
  /** Default: one of the six by the name. `none` is the sunken ground, `ink` and `own` are for networks and MAI. */
  tint?: 1 | 2 | 3 | 4 | 5 | 6 | 'none' | 'ink' | 'own'
  size?: 'small' | 'large'
  round?: boolean
  className?: string
}

/** The mark of a wallet, network or token. It is decoration: the name stands beside it. */
export function Logo({ name, src, children, tint = tintOf(name) as 1, size, round, className }: LogoProps) {
  const ground = typeof tint === 'number' ? `h${tint}` : tint !== 'none' && tint
  return (
    <span className={classes('mark', ground, size, round && 'round', className)} aria-hidden="true">
      {children ?? [...name.trim()][0]}
      {src && (
        <img
          key={src}
          src={src}
          alt=""
          decoding="async"
          onLoad={event => event.currentTarget.classList.add('is-here')}
        />
      )}
    </span>
  )
}
