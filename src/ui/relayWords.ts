import type { Model } from '../events/app.ts'
import type { Failure } from '../runtime/failure.ts'

/** Trouble with the relay: words, and whether a retry can help. */
export type RelayWords = { text: string; tone?: 'warn' | 'bad'; again?: boolean }

/**
 * @param hasCode whether a code is shown already
 * @returns undefined without trouble
 */
export function relayWords(relay: Model['relay'], online: boolean, hasCode: boolean): RelayWords | undefined {
  if (!online) return { tone: 'warn', text: offlineWords }
  switch (relay.phase) {
    case 'connected':
      return undefined
    case 'closed':
      return hasCode ? undefined : { text: 'Connecting to the relay.' }
    case 'connecting':
      if (relay.attempt > 1) return { tone: 'warn', text: awayWords }
      return hasCode ? undefined : { text: 'Connecting to the relay.' }
    case 'offline':
      return { tone: 'warn', text: offlineWords }
    case 'lost':
      return { tone: 'warn', text: lostWords(relay.failure), again: true }
    case 'refused':
      return { tone: 'bad', text: `The relay refused this page${objectionOf(relay.failure)}`, again: true }
  }
}

/** Words for a wallet over the relay that cannot be reached because the client's file could not be fetched. */
export function missingWords(wallet: string, online: boolean): string {
  return online
    ? `${wallet} cannot be reached: a part of this page could not be loaded. You can look, but not pay with it.`
    : `You are offline, so ${wallet} cannot be reached. You can look, but not pay with it.`
}

const offlineWords = 'You are offline. A wallet can answer once you are back online.'
const awayWords = 'The relay cannot be reached. This page keeps trying.'
const busyWords = 'The relay has too many requests. This page tries again by itself.'

/** Close code of a relay that hands its clients over to other servers. */
const moving = 4010

function lostWords({ code, facts }: Failure): string {
  if (facts?.code === moving) return 'The relay moves this page to another server. This page keeps trying.'
  if (code === 'reload_needed') return 'A part of this page could not be loaded. This page keeps trying.'
  return code === 'rate_limited' ? busyWords : awayWords
}

/** The relay's objection, as classified by its driver. */
function objectionOf({ facts }: Failure): string {
  switch (facts?.objection) {
    case 'project':
      return ': it does not know its project.'
    case 'origin':
      return ': its project is not for this address.'
    case 'token':
      return '. Check that the clock of this device is right.'
    case 'rule':
      return ': it says that this page broke one of its rules.'
    default:
      return ' and does not say why.'
  }
}
