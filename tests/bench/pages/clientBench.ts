/** Measures a WalletConnect client on this page, ours or the official one. */
import type { ClientBench } from './api.ts'

/** A client as used by a page, reduced to its calls. */
export type PageClient = {
  /** The code once it can be shown to a wallet, and the session's topic once settled. */
  pair(): { shown: Promise<string>; settled: Promise<string> }
  /** Asks a session's wallet to sign a message; resolves with the answer. */
  sign(sessionTopic: string, message: { message: string; pubkey: string }): Promise<unknown>
}

export function createClientBench(client: PageClient): ClientBench {
  let settling: Promise<{ sessionTopic: string; at: number }> | undefined
  return {
    async pair() {
      const begun = performance.now()
      const { shown, settled } = client.pair()
      settling = settled.then(sessionTopic => ({ sessionTopic, at: performance.timeOrigin + performance.now() }))
      settling.catch(() => undefined)
      const uri = await shown
      return { uri, ms: performance.now() - begun }
    },
    settled: () => settling ?? Promise.reject(new Error('settled expected a pairing before it, there was none')),
    async sign(sessionTopic, message) {
      const begun = performance.now()
      await client.sign(sessionTopic, message)
      return performance.now() - begun
    },
  }
}
