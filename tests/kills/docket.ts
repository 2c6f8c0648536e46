/** One log's story over many lives: what was seen of it, and the verdict on it after each kill. */
import { payments } from '../journeys/buying.ts'
import type { Stack } from '../stack/start.ts'
import { unpaidOrPaidTwice } from './payments.ts'
import type { Seen, Testimony } from './seen.ts'
import { verdictOn } from './wrongs.ts'

/** What one kill came to. `recording` is the log the next life gave away; `payments` landed in all, told at rest. */
export type Outcome = { acknowledged: number; lost: number; wrongs: string[]; recording: string; payments?: number }

/** What a round tells: each kill, and at last how the visit ended. */
export type Told = (what: string, outcome: Outcome) => void

/** Tells one outcome for all kills that nobody asked about in between. */
export function tellAll(tell: Told, kills: readonly string[], outcome: Outcome): void {
  kills.forEach((what, index) =>
    tell(what, index === 0 ? outcome : { ...outcome, acknowledged: 0, lost: 0, payments: 0 }),
  )
}

export type Docket = {
  see(one: Seen): void
  /** Holds a testimony against everything seen so far. */
  judge(testimony: Testimony): Promise<Outcome>
  /** The same once nothing is under way any more, with the chain's own count. */
  close(testimony: Testimony, stack: Stack, buyer: string): Promise<Outcome>
}

/** Opens the story of one log. */
export function openDocket(): Docket {
  const seen: Seen[] = []
  let counted = 0

  async function judge({ recording, before, seen: more }: Testimony) {
    const settled = seen.length + before
    seen.push(...more)
    const { acknowledged, ...verdict } = await verdictOn(recording, seen, settled)
    // Each is told once, by the first verdict that asks for it
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
