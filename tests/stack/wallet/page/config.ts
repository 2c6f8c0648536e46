import type { TokenNames } from '../describe.ts'

/** What the page is told by `/config.json`, so that one build serves any stack. */
export type PageConfig = { relayUrl: string; verifyUrl: string; projectId: string; rpcUrl: string; tokens: TokenNames }
