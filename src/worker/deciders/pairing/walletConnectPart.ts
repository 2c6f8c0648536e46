/**
 * WalletConnect's part of the core, as the rest of it sees it: most visits never need it, so it comes in a file of its own.
 * Whoever steps the core has it there before the first input that needs it.
 */
import type { CoreModel } from '../../../events/app.ts'
import { Fault } from '../../../events/failure.ts'
import { own } from '../../../events/schema/own.ts'
import { isOver } from '../../../events/subjects/auth.ts'
import type { Ctx } from '../../core/context.ts'
import type { askSession } from '../request/askSession.ts'
import type { startPairing } from './pairing.ts'
import type { connectProblem } from '../../walletconnect/session/connectChecks.ts'
import type { deleteSession } from '../session/sessionEnd.ts'

/** What other subjects have it do. */
export type WalletConnectPart = {
  connectProblem: typeof connectProblem
  startPairing: typeof startPairing
  deleteSession: typeof deleteSession
  askSession: typeof askSession
}

/** @throws Fault `unknown` when it is not here, which is a mistake of whoever steps this core */
export function walletConnectPart({ lent, input }: Ctx): WalletConnectPart {
  const { connectProblem, startPairing, deleteSession, askSession } = lent
  if (connectProblem && startPairing && deleteSession && askSession)
    return { connectProblem, startPairing, deleteSession, askSession }
  throw new Fault('unknown', `${input.type} expected WalletConnect's part of the core, it is not here`)
}

/** Subjects that are wholly in the part. */
const its: ReadonlySet<string> = new Set(['attest', 'auth', 'link', 'pairing', 'relay', 'request', 'session', 'vault'])

/** @returns whether an input is to be heard with the part; all others mean nothing to it until one of these came */
export function isForWalletConnect(type: string, data: Record<string, unknown>): boolean {
  const heard = type === 'core.setAside' ? String(data.input) : type
  return its.has(heard.slice(0, heard.indexOf('.'))) || heard === 'connection.connectWalletConnect'
}

/** @returns whether an input is about a session's connection, of which a core without the part knows only that it is missing */
export function isAboutSession({ connection }: CoreModel, type: string, data: Record<string, unknown>): boolean {
  if (type !== 'connection.disconnect' && type !== 'connection.retry') return false
  return own(connection.made, String(data.connectionId))?.sessionTopic !== undefined
}

/** @returns whether a core over this model is to begin with the part: something of WalletConnect's is left in it */
export function needsWalletConnect(model: CoreModel): boolean {
  const { attempt, made } = model.connection
  return (
    model.relay.phase !== 'closed' ||
    isAny(model.session) ||
    isAny(model.parting) ||
    isAny(model.mail.owed) ||
    isAny(model.auth, one => !isOver(one)) ||
    isAny(model.pairing.open) ||
    isAny(model.outbox) ||
    isAny(model.request, request => request.phase !== 'ended') ||
    isAny(made, connection => connection.sessionTopic !== undefined) ||
    (attempt.phase === 'asking' && attempt.connector === 'walletConnect')
  )
}

function isAny<T>(table: Readonly<Record<string, T>>, which: (row: T) => boolean = () => true): boolean {
  for (const key in table) if (which(table[key] as T)) return true
  return false
}
