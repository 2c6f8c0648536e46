import { useEffect, useEffectEvent, useState } from 'react'
import type { WalletList } from '../../../events/subjects/listing.ts'
import { useModel, useSurroundings } from '../../react.tsx'

/** A search waits this long for the next letter, ms. */
const debounceMs = 500
/** Once shown, a spinner stays this long, ms. */
const spinnerMs = 300
/** Letters from which on a text is searched for. */
const fewestLetters = 2

/** The subject of a search: wallets whose name has this text in it, with the badge alone or all of them. */
export type Wanted = { text: string; certified: boolean }

/** Where a search stands. `none`: the text is too short to search for, and no badge is asked for. */
export type Search =
  | { phase: 'none' }
  | { phase: 'searching'; text: string }
  | { phase: 'found'; text: string; list: WalletList }
  | { phase: 'failed'; text: string }

/**
 * Searches the directory for what is typed.
 *
 * @param typed the field's text as it is
 * @param certified only wallets that carry the service's badge
 * @returns where the search stands, asking again after a failure, and asking for the page after those read
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
  // what was asked for, and whether its spinner has been seen long enough
  const [asked, setAsked] = useState<Wanted & { seen: boolean }>()

  const read = (page: number) =>
    command({ type: 'listing.read', data: { page, search: text, ...(certified && { certified }) } })
  const again = () => {
    setAsked({ text, certified, seen: false })
    read(1)
  }
  // a text that was cleared and typed again has its answer already
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
