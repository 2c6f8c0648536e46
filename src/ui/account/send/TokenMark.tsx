import { Glyph } from '../../kit/icons/Glyph.tsx'
import { Logo, tintOf } from '../../kit/identity/Logo.tsx'
import type { Sendable } from './sendable.ts'

/** A token's logo: the network's own for SOL, else its letter in the tint of its mint. */
export function TokenMark({ token, size }: { token: Pick<Sendable, 'asset' | 'symbol'>; size?: 'small' | 'large' }) {
  const { asset, symbol } = token
  return asset === 'SOL' ? (
    <Logo name="SOL" tint="ink" round {...(size && { size })}>
      <Glyph of="solana" />
    </Logo>
  ) : (
    <Logo name={symbol} tint={tintOf(asset) as 1} round {...(size && { size })} />
  )
}
