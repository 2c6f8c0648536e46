import type { TokenNames } from '../describe.ts'

/** Settings in `/config.json`, so that one build serves any stack. */
export type PageConfig = { relayUrl: string; verifyUrl: string; projectId: string; rpcUrl: string; tokens: TokenNames }
