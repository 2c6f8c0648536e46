import { useId } from 'react'

/**
 * The five tints of an address, lightest last: the first six hex characters found in it are a colour, and
 * each next tint lies 15 % of the way nearer to white.
 */
export function tintsOf(address: string): string[] {
  const hex = `${address.replace(/[^0-9a-f]/gi, '')}000000`.slice(0, 6)
  const parts = [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
  return [0, 15, 30, 45, 60].map(
    share =>
      `#${parts
        .map(part =>
          Math.round(part + ((255 - part) * share) / 100)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`,
  )
}

/** Round gradient of an address's five tints. Decoration: the address stands beside it. */
export function Avatar({ address, size }: { address: string; size: number }) {
  const id = useId()
  const [base, second, third, fourth, light] = tintsOf(address)
  return (
    <svg className="avatar" width={size} height={size} viewBox="0 0 10 10" aria-hidden="true">
      <radialGradient id={id} cx=".65" cy=".4" r=".88">
        <stop offset=".005" stopColor="#fff" />
        <stop offset=".31" stopColor={light} />
        <stop offset=".52" stopColor={third} />
        <stop offset=".66" stopColor={second} />
        <stop offset=".82" stopColor={base} />
        <stop offset="1" stopColor={fourth} />
      </radialGradient>
      <circle cx="5" cy="5" r="5" fill={`url(#${id})`} />
    </svg>
  )
}
