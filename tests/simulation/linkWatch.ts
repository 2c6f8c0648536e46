/** Invariants of sign-ins and links after every step; each violation is one sentence. */
import { isAuthOver } from '../../src/events/subjects/wallet/auth.ts'
import type { CoreModel } from '../../src/events/app.ts'
import type { EffectType } from '../../src/events/effect.ts'
import type { Effect } from '../../src/runtime/log/record.ts'
import type { Stepped, Waits } from './watch.ts'

/** Minimum time between two opened links, ms. */
const apartMs = 50
/** Allowed facts after an undecryptable message: only records of it. */
const ofUnopened = /^(mail\.dropped|link\.refused|request\.failed|request\.late)$/

/** @returns a check of each step of one life */
export function createLinkWatch() {
  let lastOpenAt = 0

  function apart({ input, effects }: Stepped): string | undefined {
    const opens = effects.filter(({ type }) => type === 'link.send').length
    if (opens === 0) return undefined
    const gap = input.at - lastOpenAt
    lastOpenAt = input.at
    if (opens > 1) return `${opens} wallets are opened at once`
    return gap >= 0 && gap < apartMs ? `two wallets are opened within ${gap} ms` : undefined
  }

  return (step: Stepped): string | undefined =>
    apart(step) ?? accepted(step) ?? step.effects.map(effect => wrongWay(effect, step)).find(Boolean)
}

/** Any publisher can write an envelope without a key, so an undecryptable message must change nothing. */
function accepted({ input, facts }: Stepped): string | undefined {
  if (input.type !== 'relay.message') return undefined
  const { payload } = input.data as { payload: { kind: string; id: string } }
  if (payload.kind !== 'unopened' || payload.id !== '0') return undefined
  // A message that makes a decider throw is set aside, and its topic hears that
  if (facts[0]?.type === 'core.faulted') return undefined
  const strange = facts.find(({ type }) => !ofUnopened.test(type))
  return strange && `${strange.type} follows from a message that could not be opened`
}

function wrongWay(effect: Effect<EffectType>, { model, input }: Stepped): string | undefined {
  const data = effect.data as Record<string, string>
  if (effect.type === 'vault.seal') {
    const session = model.session[data.topic ?? '']
    const isKnown = session?.redirect?.universal !== undefined && model.link.apps.includes(session.redirect.universal)
    if (session?.transport === 'link' && isKnown && data.way !== 'link')
      return 'a session that goes by links sends something over the relay'
  }
  if (effect.type !== 'link.send') return undefined
  const { purpose = '', expiresAt = 0 } = model.outbox[data.callId ?? ''] ?? {}
  if (effect.after !== 'stored' || effect.tab === undefined) return 'a wallet is opened before that is on disk'
  if (expiresAt <= input.at) return 'a wallet is opened with a message whose life is over'
  const [kind, about = ''] = purpose.split(':')
  if (kind === 'request' && model.request[about]?.phase === 'ended')
    return 'a wallet is opened with a request that has ended'
  const auth = kind === 'auth' ? model.auth[about] : undefined
  return auth && isAuthOver(auth) ? 'a wallet is opened with a sign-in that is over' : undefined
}

/** @returns a sign-in, or a ping of a code, without a timer to end it */
export function endless({ auth, pairing }: CoreModel, { isTimed }: Waits): string | undefined {
  for (const one of Object.values(auth))
    if (!isAuthOver(one) && !isTimed(`auth:${one.authId}`)) return 'a sign-in waits without an end'
  for (const { pings = {} } of Object.values(pairing.open))
    for (const id of Object.keys(pings)) if (!isTimed(`ping:${id}`)) return 'a ping of a code waits without an end'
  return undefined
}
