/** Checks a wallet's authority in a session: everything requested and approved takes effect, and nothing else does. */
import type { CoreModel } from '../../src/events/app.ts'
import type { Session } from '../../src/events/subjects/session/session.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import type { Stepped } from './watch.ts'

/** Events this page requests on Solana, and wallets of every chain emit unprompted. */
const ofEveryChain: ReadonlySet<string> = new Set(['accountsChanged', 'chainChanged'])

const familyOf = (chain: string) => chain.split(':')[0] ?? chain

/** @returns whether an event of this name was requested, and approved with an account on this chain */
function isApproved({ namespaces, proposal }: Session, name: string, chain: string): boolean {
  if (ofEveryChain.has(name)) return true
  const isGiven = Object.values(namespaces).some(
    ({ accounts, events }) => events.includes(name) && accounts.some(account => account.startsWith(`${chain}:`)),
  )
  const asked = [proposal?.required, proposal?.optional].flatMap(part => Object.entries(part ?? {}))
  return isGiven && asked.some(([key, { events }]) => familyOf(key) === familyOf(chain) && events.includes(name))
}

const signing = ['solana_signTransaction', 'solana_signAndSendTransaction']

/** @returns a required permission the wallet did not approve */
function lacking({ namespaces, proposal }: Session): string | undefined {
  const parts = Object.values(namespaces)
  const chains = new Set(
    parts.flatMap(({ accounts }) => accounts.map(account => account.slice(0, account.lastIndexOf(':')))),
  )
  if (!proposal)
    return parts.some(({ methods }) => methods.some(method => signing.includes(method)))
      ? undefined
      : 'a wallet that may sign nothing settles'
  const required = Object.entries(proposal.required).flatMap(([key, part]) => part.chains ?? [key])
  return required.every(chain => chains.has(chain)) ? undefined : 'a wallet settles without what was required'
}

const msOf = (id: string | number) => Math.floor(Number(id) / 1000)

/** @returns a wrong event of a step: an unapproved one was emitted, or an approved one was not */
export function wrongEvents({ input, facts, model }: Stepped): string | undefined {
  for (const { type, data } of facts) {
    const session = model.session[String(data.sessionTopic)]
    if (type === 'session.eventHeard' && session && !isApproved(session, String(data.name), String(data.chainId)))
      return 'an event is told that nobody asked for, or no wallet approved'
    if (type === 'session.settled' && session) {
      const problem = lacking(session)
      if (problem !== undefined) return problem
    }
  }
  if (input.type !== 'relay.message') return undefined
  const { topic, payload } = input.data as InputData<'relay.message'>
  const session = model.session[topic]
  const { kind, id, event = '', chainId = '' } = payload
  if (kind !== 'event' || !session || !isApproved(session, event, chainId)) return undefined
  // The person has left its family
  if ([chainId, payload.chain ?? ''].some(one => session.left.includes(familyOf(one)))) return undefined
  return msOf(session.heard[event] ?? 0) < msOf(id) ? 'an event that was approved is not told' : undefined
}

/** @returns an account of a connection that its wallet has not approved */
export function wrongAccounts({ connection, session }: CoreModel): string | undefined {
  for (const { sessionTopic, accounts } of Object.values(connection.made)) {
    const approved = Object.values(session[sessionTopic ?? '']?.namespaces ?? {}).flatMap(part => part.accounts)
    if (sessionTopic !== undefined && accounts.some(one => !approved.some(account => account.endsWith(`:${one}`))))
      return 'a connection speaks for an account that its session does not have'
  }
  return undefined
}
