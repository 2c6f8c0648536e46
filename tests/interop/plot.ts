/** What is played between our client and a wallet: who the wallet is, and the steps, one after the other. */
import type { Stack } from '../stack/start.ts'
import type { Dapp } from './dapp.ts'

/** A wallet of the official kit, as far as a run must know it. */
export type Counterpart = {
  /** who it is to the relay */
  clientId(): Promise<string>
  close(): Promise<void>
}

export type Cast<W> = {
  dapp: Dapp
  wallet: W
  stack: Stack
  /** how long a step may take, ms */
  limitMs: number
  /** the kit forgets an answer to an update that overtakes the relay's answer to the update itself, and then waits for 300 s */
  isOvertaken: boolean
  /** our client is back after a loss; what the kit cannot come back from by itself ends now */
  back(): void
  /** what happens between the code and its scanning */
  beforeScanning(): Promise<void>
}

export type StoryStep<W> = { name: string; play(cast: Cast<W>): Promise<void> }

export type Plot<W> = { name: string; wallet(stack: Stack): Promise<W>; steps: readonly StoryStep<W>[] }

/** Fails when the wallet does not come to an end in time; the kit waits for ever where it has nothing to wait for. */
export async function within<T>(what: string, limitMs: number, done: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
