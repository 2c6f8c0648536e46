import { useEffect, useState } from 'react'

/** Time after which a silence is explained, ms. */
const quietMs = 10_000

/** @returns whether `quietMs` have passed since request number `asked` */
export function useQuiet(asked: number): boolean {
  const [quiet, setQuiet] = useState(-1)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(asked), quietMs)
    return () => clearTimeout(timer)
  }, [asked])
  return quiet === asked
}
