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
      return { tone: 'bad', text: `Phone wallets cannot connect right now. ${remedyOf(relay.failure)}`, again: true }
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

function remedyOf({ facts }: Failure): string {
  return facts?.objection === 'token' ? 'Check that the clock of this device is right.' : 'Use an installed wallet.'
}

/** @returns the relay's objection with its remedy, for developers, with the code of the official kit where it has one */
export function objectionOf({ facts }: Failure): string {
  switch (facts?.objection) {
    case 'project':
      return 'APKT007: the relay refused this page, it does not know its project. Set VITE_PROJECT_ID, in an embed projectId, to the id of a project.'
    case 'origin':
      return `APKT002: the relay refused this page, its project is not for this address. Add ${location.origin} to the project’s allowed domains.`
    case 'token':
      return 'The relay refused this page’s token. The clock of this device may be wrong.'
    case 'rule':
      return 'The relay refused this page, it broke one of its rules.'
    default:
      return 'The relay refused this page and does not say why.'
  }
}
