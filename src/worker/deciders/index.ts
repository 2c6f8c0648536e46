/** Every decider, also those that a visitor's worker loads later: for whoever steps a core without waiting. */
import type { Decider } from '../core/context.ts'
import { decidersInOrder } from './inOrder.ts'
import { walletConnect } from './pairing/walletConnect.ts'

export const deciders: readonly Decider[] = decidersInOrder(walletConnect)
