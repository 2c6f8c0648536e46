import { useEffect, useReducer } from 'react'

/** Re-renders the caller every `ms` while `on`. */
export function useTick(ms: number, on = true): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!on) return
    const timer = setInterval(tick, ms)
    return () => clearInterval(timer)
  }, [ms, on])
}
