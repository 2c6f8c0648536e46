/** WalletConnect's part of the core: every decider of it, to be put at its place among the others. */
import { outbox } from './outbox.ts'
import { pairing } from './pairing.ts'
import { relay } from './relay.ts'
import { request } from './request.ts'
import { sendRequest } from './sendRequest.ts'
import { session } from './session.ts'

export const walletConnect = { pairing, session, request, sendRequest, outbox, relay }
