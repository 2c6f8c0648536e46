/** Lifetimes of the protocol, seconds. The relay's mailbox lifetimes are in `wcMethods`. */
export const pairingLife = 300
export const sessionLife = 604_800
export const requestLife = { default: 900, min: 300, max: 604_800 } as const

/**
 * @param ttl seconds
 * @param nowMs ms since the Unix epoch
 * @returns expiry in Unix seconds, rounded down
 */
export function calcExpiry(ttl: number, nowMs: number): number {
  return Math.floor((nowMs + ttl * 1000) / 1000)
}

/** @returns whether a Unix time in seconds has come; the exact moment counts as expired */
export function isExpired(expiry: number, nowMs: number): boolean {
  return nowMs >= expiry * 1000
}

/** @returns whether a request lifetime is a number of seconds in 300 … 604800 */
export function isRequestLife(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= requestLife.min && seconds <= requestLife.max
}
