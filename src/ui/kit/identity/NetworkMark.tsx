import { Glyph } from '../icons/Glyph.tsx'
import { Logo } from './Logo.tsx'

/** A network's logo: Solana's bars, paler for its test networks; any other has its initial. */
export function NetworkMark({ name, size }: { name: string; size?: 'small' | 'large' }) {
  const isSolana = /^Solana\b/.test(name)
  return (
    <Logo
      name={name}
      {...(isSolana && { tint: name === 'Solana' ? 'ink' : 'none' })}
      round={size !== 'large'}
      {...(size && { size })}
    >
      {isSolana ? <Glyph of="solana" /> : undefined}
    </Logo>
  )
}
