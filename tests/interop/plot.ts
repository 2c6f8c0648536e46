/** Plots between our client and a wallet: the wallet, and the steps in sequence. */
import type { Stack } from '../stack/start.ts'
import type { Dapp } from './dapp.ts'

/** A wallet of the official kit, as a run needs it. */
export type Counterpart = {
  /** its client id on the relay */
  clientId(): Promise<string>
  close(): Promise<void>
}

export type Cast<W> = {
  dapp: Dapp
  wallet: W
  stack: Stack
  /** limit of a step, ms */
  limitMs: number
  /** the kit forgets an answer to an update that overtakes the relay's answer to the update itself, and then waits for 300 s */
  isOvertaken: boolean
  /** our client has recovered from a loss; ends faults the kit cannot recover from */
  back(): void
  /** runs between the code and its scanning */
  beforeScanning(): Promise<void>
}

export type StoryStep<W> = { name: string; play(cast: Cast<W>): Promise<void> }

export type Plot<W> = { name: string; wallet(stack: Stack): Promise<W>; steps: readonly StoryStep<W>[] }

/** Limits a wait for the wallet; the kit waits for ever for a missing message. */
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

/** Waits for a state of the stack's relay, of which our client may hear nothing. */
export async function atRelay(what: string, limitMs: number, isSo: () => boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const found = new Promise<void>(resolve => {
    timer = setInterval(() => isSo() && resolve(), 20)
  })
  try {
    await within(what, limitMs, found)
  } finally {
    clearInterval(timer)
  }
}
