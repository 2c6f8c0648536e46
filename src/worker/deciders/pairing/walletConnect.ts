/** WalletConnect's part of the core: every decider of it, to be put at its place among the others. */
import type { Decider } from '../../core/context.ts'
import { answers } from '../request/answers.ts'
import { auth } from './auth.ts'
import { link } from './link.ts'
import { outbox } from '../relay/outbox.ts'
import { pairing } from './pairing.ts'
import { pairingPing } from './pairingPing.ts'
import { relay } from '../relay/relay.ts'
import { request } from '../request/request.ts'
import { sendRequest } from '../request/send.ts'
import { session } from '../session/session.ts'
import { sessionCalls } from '../session/sessionCalls.ts'
import { sessionChain } from '../session/sessionChain.ts'
import { sessionEnd } from '../session/sessionEnd.ts'
import { sessionEvents } from '../session/sessionEvents.ts'

export type WalletConnectDeciders = { subjects: readonly Decider[]; ways: readonly Decider[] }

/** What is said over the relay, then the way there: that hears an input after all others. */
export const walletConnect: WalletConnectDeciders = {
  subjects: [
    link,
    answers,
    pairing,
    pairingPing,
    auth,
    session,
    sessionEvents,
    sessionCalls,
    sessionChain,
    sessionEnd,
    request,
    sendRequest,
  ],
  ways: [outbox, relay],
}
