/** Limits on timers: after a clock change nothing may wait for hours. */
import type { Stepped } from './watch.ts'

/** Longest wait of timers by prefix, ms. Timers for a moment promised to a wallet are excluded. */
const most: Readonly<Record<string, number>> = {
  'relay:pulse': 30_000,
  'relay:probe': 10_000,
  'relay:retry': 60_000,
  // With back-off, for a relay that keeps refusing
  'relay:listen': 480_000,
  'relay:overtaken': 0,
  outbox: 60_000,
  attest: 5000,
  owed: 15_000,
  link: 1050,
  ask: 60_000,
  request: 900_000,
  call: 300_000,
  ping: 60_000,
  silence: 120_000,
  return: 10_000,
  resend: 2000,
  'sale:poll': 60_000,
  'network:identify': 60_000,
}

/** Delay of a timer whose input is quarantined, ms. */
const asideMs = 60_000

/** @returns a timer set by this step beyond the limit of its kind; of repeated settings the last counts */
export function overlong({ input, effects }: Stepped): string | undefined {
  const waits = new Map<string, number>()
  for (const { type, data } of effects)
    if (type === 'timer.set') waits.set(String(data.timerId), Number(data.at) - input.at)
  for (const [timerId, waitMs] of waits) {
    const longest = most[timerId] ?? most[timerId.slice(0, timerId.indexOf(':'))]
    const isAside = input.type === 'core.setAside' && input.data.timerId === timerId
    if (longest !== undefined && waitMs > (isAside ? Math.max(asideMs, longest) : longest))
      return `the timer ${timerId} waits ${waitMs} ms`
  }
  return undefined
}
