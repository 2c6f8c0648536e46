import { useEffect, useEffectEvent, useState } from 'react'
import type { WalletList } from '../../../events/subjects/service/listingState.ts'
import { useModel, useSurroundings } from '../../react.tsx'

/** Debounce of typing, ms. */
const debounceMs = 500
/** Minimum time a spinner is shown, ms. */
const spinnerMs = 300
/** Minimum length of a search text, letters. */
const fewestLetters = 2

/** A search: wallets whose name holds this text, certified ones only or all. */
type Wanted = { text: string; certified: boolean }

/** State of a search. `none`: the text is too short and no badge is required. */
type Search =
  | { phase: 'none' }
  | { phase: 'searching'; text: string }
  | { phase: 'found'; text: string; list: WalletList }
  | { phase: 'failed'; text: string }

/**
 * Searches the directory for the typed text.
 *
 * @param typed the field's raw text
 * @param certified only wallets that carry the service's badge
 * @returns the state of the search, a retry after a failure, and a request for the next page
 */
export function useSearch(
  typed: string,
  certified: boolean,
): { search: Search; again: () => void; readMore: () => void } {
  const { command } = useSurroundings()
  const found = useModel(model => model.listing.found)
  const foundFor = useModel(model => model.listing.search)
  const foundCertified = useModel(model => model.listing.certified === true)
  const trimmed = typed.trim()
  const text = [...trimmed].length < fewestLetters ? '' : trimmed
  const isWanted = text !== '' || certified
  // the search in flight, and whether its spinner has been shown long enough
  const [asked, setAsked] = useState<Wanted & { seen: boolean }>()

  const read = (page: number) =>
    command({ type: 'listing.read', data: { page, search: text, ...(certified && { certified }) } })
  const again = () => {
    setAsked({ text, certified, seen: false })
    read(1)
  }
  // a text cleared and typed again is answered already
  const begin = useEffectEvent(() => {
    if (asked?.text !== text || asked.certified !== certified) again()
  })
  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(begin, text === '' ? 0 : debounceMs)
    return () => clearTimeout(timer)
  }, [isWanted, text, certified])
  useEffect(() => {
    if (!asked || asked.seen) return
    const timer = setTimeout(() => setAsked({ ...asked, seen: true }), spinnerMs)
    return () => clearTimeout(timer)
  }, [asked])

  return { search: searchOf(), again, readMore: () => read(found.pages + 1) }

  function searchOf(): Search {
    if (!isWanted) return { phase: 'none' }
    const isAsked = asked?.text === text && asked.certified === certified && asked.seen
    const isAnswered = isAsked && foundFor === text && foundCertified === certified
    if (!isAnswered || (found.phase === 'reading' && found.pages === 0)) return { phase: 'searching', text }
    if (found.phase === 'failed' && found.pages === 0) return { phase: 'failed', text }
    return { phase: 'found', text, list: found }
  }
}
