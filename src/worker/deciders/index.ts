/** Every decider, also those that a visitor's worker loads later: for whoever steps a core without waiting. */
import type { Decider } from '../context.ts'
import { decidersInOrder } from './inOrder.ts'
import { walletConnect } from './walletConnect.ts'

export const deciders: readonly Decider[] = decidersInOrder(walletConnect)
