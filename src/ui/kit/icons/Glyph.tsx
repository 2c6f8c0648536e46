/** The three steps of MAI, on a grid of 22 px. */
const steps =
  'M2 14.5c0-.83.67-1.5 1.5-1.5h2c.83 0 1.5.67 1.5 1.5V20H3.5A1.5 1.5 0 0 1 2 18.5zM8.5 8.5c0-.83.67-1.5 1.5-1.5h2c.83 0 1.5.67 1.5 1.5V20h-5zM15 3.5c0-.83.67-1.5 1.5-1.5h2c.83 0 1.5.67 1.5 1.5v15a1.5 1.5 0 0 1-1.5 1.5H15z'
/** The three bars of Solana, on a grid of 20 px. */
const bars = 'M5.2 4h11.3l-2.7 2.8H2.5zM2.5 8.6h11.3l2.7 2.8H5.2zM5.2 13.2h11.3L13.8 16H2.5z'

/**
 * A filled logo glyph of MAI or Solana in the text colour.
 *
 * @param size px; default 60 % of the logo around it
 */
export function Glyph({ of, size }: { of: 'mai' | 'solana'; size?: number }) {
  const box = of === 'mai' ? 22 : 20
  return (
    <svg
      className="glyph"
      viewBox={`0 0 ${box} ${box}`}
      width={size}
      height={size}
      fill="currentColor"
      aria-hidden="true"
    >
      <path d={of === 'mai' ? steps : bars} />
    </svg>
  )
}
