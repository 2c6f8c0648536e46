import type { Fault } from '../../stack/services/faults.ts'

/** Paths of the wallet list, the analytics switch and the analytics service, by the effect that asks them. */
export const listPaths = {
  'directory.read': '/getWallets',
  'pulse.readSwitch': '/getAnalyticsConfig',
  'pulse.send': '/e',
} as const

/** The code that each fault of them ends in. An answer's body matters to no event: the service has it. */
export const listFaults: readonly [Fault, string, sends?: 'sent'][] = [
  [{ status: 400 }, 'bad_response'],
  [{ status: 401 }, 'unauthorized'],
  [{ status: 403 }, 'unauthorized'],
  [{ status: 429 }, 'rate_limited'],
  [{ status: 500 }, 'unreachable'],
  [{ status: 503 }, 'unreachable'],
  [{ html: true }, 'bad_response', 'sent'],
  [{ malformed: true }, 'bad_response', 'sent'],
  [{ empty: true }, 'bad_response', 'sent'],
  [{ shape: true }, 'bad_response', 'sent'],
  [{ truncated: true }, 'unreachable'],
  [{ oversized: 3_000_000 }, 'bad_response'],
]
