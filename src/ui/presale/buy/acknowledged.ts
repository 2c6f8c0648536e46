import { useState } from 'react'
import { useSurroundings } from '../../react.tsx'

type Statement = string

/**
 * The ticked statements, stored on this device for exactly these terms.
 *
 * @param termsHash undefined until the terms are read; nothing is ticked then
 */
export function useAcknowledged(termsHash: string | undefined) {
  const { device } = useSurroundings()
  const [kept, setKept] = useState<{ termsHash: string | undefined; ticked: Statement[] }>({
    termsHash: undefined,
    ticked: [],
  })
  if (kept.termsHash !== termsHash) {
    const recalled = termsHash === undefined ? '' : (device.recall(keyOf(termsHash)) ?? '')
    setKept({ termsHash, ticked: recalled.split(',').filter(Boolean) })
  }
  const { ticked } = kept
  const tick = (statement: Statement, on: boolean) => {
    if (termsHash === undefined) return
    const next = on ? [...ticked, statement] : ticked.filter(one => one !== statement)
    setKept({ termsHash, ticked: next })
    device.remember(keyOf(termsHash), next.join(','))
  }
  return { ticked, tick }
}

const keyOf = (termsHash: string) => `mai.acknowledged.${termsHash}`
