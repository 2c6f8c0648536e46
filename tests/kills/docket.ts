/** Collects the observations of one log over many lives, and gives a verdict after each kill. */
import { payments } from '../journeys/buying.ts'
import type { Stack } from '../stack/start.ts'
import { unpaidOrPaidTwice } from './payments.ts'
import type { Seen, Testimony } from './seen.ts'
import { verdictOn } from './wrongs.ts'

/** Outcome of one kill. `recording` is the log returned by the next life; `payments`: total landed, set at rest. */
export type Outcome = { acknowledged: number; lost: number; wrongs: string[]; recording: string; payments?: number }

/** Receives each kill of a round, and finally the end of the visit. */
export type Told = (what: string, outcome: Outcome) => void

/** Reports one outcome for several kills without a testimony in between. */
export function tellAll(tell: Told, kills: readonly string[], outcome: Outcome): void {
  kills.forEach((what, index) =>
    tell(what, index === 0 ? outcome : { ...outcome, acknowledged: 0, lost: 0, payments: 0 }),
  )
}

export type Docket = {
  see(one: Seen): void
  /** Compares a testimony with all observations so far. */
  judge(testimony: Testimony): Promise<Outcome>
  /** The same at rest, with the chain's own count. */
  close(testimony: Testimony, stack: Stack, buyer: string): Promise<Outcome>
}

/** Opens the docket of one log. */
export function openDocket(): Docket {
  const seen: Seen[] = []
  let counted = 0

  async function judge({ recording, before, seen: more }: Testimony) {
    const settled = seen.length + before
    seen.push(...more)
    const { acknowledged, ...verdict } = await verdictOn(recording, seen, settled)
    // Each record is counted once, by the first verdict that includes it
    const fresh = acknowledged - counted
    counted = acknowledged
    return { ...verdict, acknowledged: fresh, recording }
  }

  return {
    see: one => void seen.push(one),
    async judge(testimony) {
      const { facts: _, ...outcome } = await judge(testimony)
      return outcome
    },
    async close(testimony, stack, buyer) {
      const { facts, ...outcome } = await judge(testimony)
      const landed = payments(stack, buyer).map(({ orderKey }) => orderKey)
      const wrongs = [...outcome.wrongs, ...unpaidOrPaidTwice(facts, landed)]
      return { ...outcome, wrongs, payments: landed.length }
    },
  }
}
