/**
 * Draws an event's id from the core's seeded random, so that a replay makes the same one.
 *
 * @param random a whole number from 0 to below its argument, which is at most 2^32
 * @returns a UUID v4
 * @see RFC 9562, §5.4
 */
export function eventIdOf(random: (below: number) => number): string {
  const digits = Array.from({ length: 32 }, () => random(16).toString(16))
  digits[12] = '4'
  digits[16] = (8 + random(4)).toString(16)
  const text = digits.join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
