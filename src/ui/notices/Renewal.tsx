import { useEffect, useRef } from 'react'
import { useSurroundings } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { relayArea } from '../texts/relay/en.ts'
import { useTick } from '../useTick.ts'

interface RenewalProps {
  /** ms since the Unix epoch */
  at: number
  /** Called once `at` has passed, as soon as the page is visible. */
  onOver?: () => void
}

/** Counts down to the next code. Use the code's topic as its key. */
export function Renewal({ at, onOver }: RenewalProps) {
  const { now } = useSurroundings()
  const t = useTexts(relayArea)
  useTick(1000)
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
      {seconds > 0 ? t.newCodeIn(clock) : t.makingCode}
    </span>
  )
}
