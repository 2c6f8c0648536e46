import { useEffect, useEffectEvent, useState } from 'react'
import type { ListedWallet } from '../../events/subjects/listing.ts'
import { useModel, useSurroundings } from '../react.tsx'

/** A search waits this long for the next letter, ms. */
const debounceMs = 500
/** Once shown, a spinner stays this long, ms. */
const spinnerMs = 300
/** Letters from which on a text is searched for. */
const fewestLetters = 2

/** Where a search stands. `none`: the text is too short to search for. */
export type Search =
  | { phase: 'none' }
  | { phase: 'searching'; text: string }
  | { phase: 'found'; text: string; wallets: ListedWallet[] }
  | { phase: 'failed'; text: string }

/**
 * Searches the directory for what is typed.
 *
 * @param typed the field's text as it is
 * @returns where the search stands, and asking again after a failure
 */
export function useSearch(typed: string): { search: Search; again: () => void } {
  const { command } = useSurroundings()
  const found = useModel(model => model.listing.found)
  const foundFor = useModel(model => model.listing.search)
  const text = typed.trim()
  // what was asked for, and whether its spinner has been seen long enough
  const [asked, setAsked] = useState<{ text: string; seen: boolean }>()

  const again = () => {
    setAsked({ text, seen: false })
    command({ type: 'listing.read', data: { page: 1, search: text } })
  }
  // a text that was cleared and typed again has its answer already
  const begin = useEffectEvent(() => {
    if (asked?.text !== text) again()
  })
  useEffect(() => {
    if ([...text].length < fewestLetters) return
    const timer = setTimeout(begin, debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    if (!asked || asked.seen) return
    const timer = setTimeout(() => setAsked({ text: asked.text, seen: true }), spinnerMs)
    return () => clearTimeout(timer)
  }, [asked])

  return { search: searchOf(), again }

  function searchOf(): Search {
    if ([...text].length < fewestLetters) return { phase: 'none' }
    const answered = asked?.text === text && asked.seen && foundFor === text
    if (!answered || found.phase === 'reading') return { phase: 'searching', text }
    if (found.phase === 'failed') return { phase: 'failed', text }
    return { phase: 'found', text, wallets: found.wallets }
  }
}
