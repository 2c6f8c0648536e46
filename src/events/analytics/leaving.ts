/** Consent, and the events that may leave: for the core that sends them and the page that goes. */
import type { AnalyticsTerms, AnalyticsView } from '../subjects/service/analytics.ts'

type Word = Pick<AnalyticsView, 'consent' | 'switched' | 'waiting'>

/** @returns the consent now: the visitor's last word, else the host's choice */
export function consentOf({ consent: word }: Word, { consent }: AnalyticsTerms): 'given' | 'awaited' | 'refused' {
  return word ?? (consent === 'later' ? 'awaited' : 'given')
}

/**
 * @param life of the core: the project's switch is read once in each
 * @returns the events that may leave now, the oldest first; `asks`: the switch has to be read before
 */
export function leavingEvents<W extends Word>(
  view: W,
  terms: AnalyticsTerms,
  life: number,
): { events: W['waiting']; asks: boolean } {
  if (view.waiting.length === 0 || consentOf(view, terms) !== 'given') return { events: [], asks: false }
  const asks = terms.tracks === true && view.switched?.life !== life
  return { events: asks ? [] : view.waiting, asks }
}
