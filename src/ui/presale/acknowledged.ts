import { useState } from 'react'

type Statement = string

/**
 * The statements a person has ticked, remembered on this device for exactly these terms.
 *
 * @param termsHash undefined until the terms are read; nothing is ticked then
 */
export function useAcknowledged(termsHash: string | undefined) {
  const [kept, setKept] = useState<{ termsHash: string | undefined; ticked: Statement[] }>({
    termsHash: undefined,
    ticked: [],
  })
  if (kept.termsHash !== termsHash) setKept({ termsHash, ticked: termsHash === undefined ? [] : recalled(termsHash) })
  const ticked = kept.termsHash === termsHash ? kept.ticked : []
  const tick = (statement: Statement, on: boolean) => {
    if (termsHash === undefined) return
    const next = on ? [...ticked, statement] : ticked.filter(one => one !== statement)
    setKept({ termsHash, ticked: next })
    remember(termsHash, next)
  }
  return { ticked, tick }
}

const keyOf = (termsHash: string) => `mai.acknowledged.${termsHash}`

function recalled(termsHash: string): Statement[] {
  try {
    return (localStorage.getItem(keyOf(termsHash)) ?? '').split(',').filter(Boolean)
  } catch {
    // A browser that keeps nothing asks again.
    return []
  }
}

function remember(termsHash: string, ticked: Statement[]): void {
  try {
    localStorage.setItem(keyOf(termsHash), ticked.join(','))
  } catch {
    // The ticks count all the same; they are asked for again next time.
  }
}
