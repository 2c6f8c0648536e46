import type { Model } from '../events/app.ts'

/** What stands between this page and the code: words, and whether asking again can help. */
export type RelayWords = { text: string; tone?: 'warn' | 'bad'; again?: boolean }

/**
 * @param hasCode whether a code is on show already
 * @returns undefined when all is well
 */
export function relayWords(relay: Model['relay'], online: boolean, hasCode: boolean): RelayWords | undefined {
  if (!online) return { tone: 'warn', text: offlineWords }
  switch (relay.phase) {
    case 'connected':
      return undefined
    case 'closed':
      return hasCode ? undefined : { text: 'Connecting to the relay.' }
    case 'connecting':
      if (relay.attempt > 1) return { tone: 'warn', text: 'The relay cannot be reached. This page keeps trying.' }
      return hasCode ? undefined : { text: 'Connecting to the relay.' }
    case 'offline':
      return { tone: 'warn', text: offlineWords }
    case 'lost':
      return { tone: 'warn', text: 'The relay cannot be reached. This page keeps trying.', again: true }
    case 'refused':
      return { tone: 'bad', text: refusedWords(relay.failure.code), again: true }
  }
}

const offlineWords = 'You are offline. A wallet can answer once you are back online.'

function refusedWords(code: string): string {
  if (code === 'unauthorized') return 'The relay refused this page: it does not know its project or its address.'
  if (code === 'rate_limited') return 'The relay refused this page: too many tries. Wait a minute.'
  return 'The relay refused this page.'
}
