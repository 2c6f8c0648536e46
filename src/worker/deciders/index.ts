/** Every decider, those that only some cores load among them: a replay needs them all. */
import type { Decider } from '../core/context.ts'
import { analytics } from './analytics.ts'
import { networkSwitch } from './networkSwitch.ts'
import { nodeSocket } from './order/nodeSocket.ts'
import { startDeciders } from './start.ts'

export const deciders: readonly Decider[] = [...startDeciders, analytics, nodeSocket, networkSwitch]
