import { useEffect, useReducer, useRef } from 'react'
import { useSurroundings } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { relayArea } from '../texts/relay/en.ts'

interface RenewalProps {
  /** ms since the Unix epoch */
  at: number
  /** Called once `at` has passed, as soon as the page is visible. */
  onOver?: () => void
  /** The time left; default: that until the next code. */
  words?: (time: string) => string
}

/** Counts down to the next code; use the code's topic as its key. With `words` to another end, at which it is gone. */
export function Renewal({ at, onOver, words }: RenewalProps) {
  const { now } = useSurroundings()
  const t = useTexts(relayArea)
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [])
  const isTold = useRef(false)
  useEffect(() => {
    if (isTold.current || !onOver || now() < at || document.hidden) return
    isTold.current = true
    onOver()
  })
  const seconds = Math.max(0, Math.ceil((at - now()) / 1000))
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span className="text-muted text-figures" role="timer">
      {seconds > 0 ? (words ?? t.newCodeIn)(clock) : !words && t.makingCode}
    </span>
  )
}
