/** A small seeded generator: equal seeds give equal numbers. Never for keys. */

/** Spreads a seed's text over 128 bits of generator state. */
export function seeded(seed: string): [number, number, number, number] {
  const state: [number, number, number, number] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1]
  for (let i = 0; i < seed.length; i++) {
    const lane = (i & 3) as 0 | 1 | 2 | 3
    state[lane] = Math.imul(state[lane] ^ seed.charCodeAt(i), 0x01000193) | 0
  }
  for (let i = 0; i < 16; i++) nextRandom(state)
  return state
}

/**
 * One 32-bit step of the generator, in place.
 * @see PractRand's sfc32
 */
export function nextRandom(state: [number, number, number, number]): number {
  const sum = (((state[0] + state[1]) | 0) + state[3]) | 0
  state[3] = (state[3] + 1) | 0
  state[0] = state[1] ^ (state[1] >>> 9)
  state[1] = (state[2] + (state[2] << 3)) | 0
  state[2] = (((state[2] << 21) | (state[2] >>> 11)) + sum) | 0
  return sum >>> 0
}
