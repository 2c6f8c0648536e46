/**
 * A bar filled to a share. Decoration unless it has a label: the figure stands beside it.
 *
 * @param percent 0–100; values outside are clamped
 * @param look `now` is filled in accent, `past` in its pale form; `wide` takes the whole line
 */
export function Meter({
  percent,
  look = 'now',
  label,
}: {
  percent: number
  look?: 'now' | 'past' | 'wide'
  label?: string
}) {
  const width = `${Math.min(100, Math.max(0, percent || 0))}%`
  return (
    <svg
      className={look === 'wide' ? 'meter-wide' : 'meter'}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={!label}
    >
      <rect className="meter-ground" width="100%" height="6" rx="3" />
      <rect className={look === 'past' ? 'meter-past' : 'meter-fill'} width={width} height="6" rx="3" />
    </svg>
  )
}
