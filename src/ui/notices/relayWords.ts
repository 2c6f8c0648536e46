import type { Model } from '../../events/app.ts'
import type { Failure } from '../../runtime/failure.ts'
import type { RelayTexts } from '../texts/relay/en.ts'

/** Trouble with the relay: words, and whether a retry can help. */
export type RelayWords = { text: string; tone?: 'warn' | 'bad'; again?: boolean }

/**
 * @param hasCode whether a code is shown already
 * @returns undefined without trouble
 */
export function relayWords(
  t: RelayTexts,
  relay: Model['relay'],
  online: boolean,
  hasCode: boolean,
): RelayWords | undefined {
  if (!online) return { tone: 'warn', text: t.offline }
  switch (relay.phase) {
    case 'connected':
      return undefined
    case 'closed':
      return hasCode ? undefined : { text: t.connecting }
    case 'connecting':
      if (relay.attempt > 1) return { tone: 'warn', text: t.away }
      return hasCode ? undefined : { text: t.connecting }
    case 'offline':
      return { tone: 'warn', text: t.offline }
    case 'lost':
      return { tone: 'warn', text: lostWords(t, relay.failure), again: true }
    case 'refused': {
      const remedy = relay.failure.facts?.objection === 'token' ? t.checkClock : t.useInstalled
      return { tone: 'bad', text: `${t.refused} ${remedy}`, again: true }
    }
  }
}

/** Close code of a relay that hands its clients over to other servers. */
const moving = 4010

function lostWords(t: RelayTexts, { code, facts }: Failure): string {
  if (facts?.code === moving) return t.moving
  if (code === 'reload_needed') return t.partMissing
  return code === 'rate_limited' ? t.busy : t.away
}

/** @returns the relay's objection with its remedy, for developers, with the code of the official kit where it has one */
export function objectionOf({ facts }: Failure): string {
  switch (facts?.objection) {
    case 'project':
      return 'APKT007: the relay refused this page, it does not know its project. Set VITE_PROJECT_ID, in an embed projectId, to the id of a project.'
    case 'origin':
      return `APKT002: the relay refused this page, its project is not for this address. Add ${location.origin} to the project’s allowed domains.`
    case 'token':
      return 'APKT006: the relay refused this page’s token. The clock of this device may be wrong.'
    case 'rule':
      return 'The relay refused this page, it broke one of its rules.'
    default:
      return 'The relay refused this page and does not say why.'
  }
}
