import { useSurroundings } from './react.tsx'
import { basics } from './texts/basics/en.ts'
import { useTexts } from './texts/language.tsx'
import { useTick } from './useTick.ts'

/** Counts down to `until` (ms since the Unix epoch), and is gone then. */
export function TimeLeft({ until }: { until: number }) {
  const { now } = useSurroundings()
  const { timeLeft } = useTexts(basics)
  useTick(1000)
  const seconds = Math.ceil((until - now()) / 1000)
  if (seconds <= 0) return null
  return (
    <span className="text-figures" role="timer">
      {timeLeft(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`)}
    </span>
  )
}
