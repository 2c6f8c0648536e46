import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

/** The tint of a name, 1–6: the same name always has the same tint. */
export function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return (sum % 6) + 1
}

interface LogoProps {
  /** Wallet, network or token; its initial shows until a picture has loaded. */
  name: string
  /** A blob: or data: URL of a picture whose dimensions were checked, so that decoding is cheap and off the main thread. */
  src?: string | undefined
  /** An icon or a glyph in place of the letter. */
  children?: ReactNode
  /** Default: derived from the name. `none` is the sunken ground; `ink` and `own` are for networks and MAI. */
  tint?: 1 | 2 | 3 | 4 | 5 | 6 | 'none' | 'ink' | 'own'
  size?: 'small' | 'large'
  round?: boolean
  className?: string
}

/** Logo of a wallet, network or token. Decoration: the name stands beside it. */
export function Logo({ name, src, children, tint = tintOf(name) as 1, size, round, className }: LogoProps) {
  const ground = typeof tint === 'number' ? `is-tint-${tint}` : tint !== 'none' && `is-${tint}`
  return (
    <span className={classes('logo', ground, size && `is-${size}`, round && 'is-round', className)} aria-hidden="true">
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
