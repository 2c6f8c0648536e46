/** WalletConnect's part of the core: every decider of it, to be put at its place among the others. */
import type { Decider } from '../context.ts'
import { answers } from './answers.ts'
import { auth } from './auth.ts'
import { link } from './link.ts'
import { outbox } from './outbox.ts'
import { pairing } from './pairing.ts'
import { pairingPing } from './pairingPing.ts'
import { relay } from './relay.ts'
import { request } from './request.ts'
import { sendRequest } from './sendRequest.ts'
import { session } from './session.ts'
import { sessionCalls } from './sessionCalls.ts'
import { sessionChain } from './sessionChain.ts'
import { sessionEnd } from './sessionEnd.ts'
import { sessionEvents } from './sessionEvents.ts'

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
