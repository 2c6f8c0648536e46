/**
 * All randomness of a simulated world. Every question has a named stream of its own, so that leaving out one fault does not
 * change the other draws: this makes a failing seed minimisable.
 */

/** Faults of the disk: the journal of every world has them. */
export type DiskFault = 'storage.slow' | 'storage.fails'

export type Dice<Fault extends string = DiskFault> = {
  /** @returns whether this fault happens now; never after `calm` */
  strikes(fault: Fault): boolean
  /** @returns false when this step of the person, numbered by order, is left out */
  steps(): boolean
  /** @returns a whole number from `from` to `to` */
  between(name: string, from: number, to: number): number
  oneOf<T>(name: string, list: readonly T[]): T
  chance(name: string, probability: number): boolean
  /** Ends all faults. */
  calm(): void
  isCalm(): boolean
  /** Faults and steps of the person, as `name#count`, in order. */
  readonly drawn: readonly string[]
}

/** Factors on a fault's base chance: severity of the seed, and of each fault in it. */
const severities = [0, 0.4, 1, 1, 2.5]
const kinds = [0, 0.5, 1, 1, 3]

/**
 * @param faults each with its chance per occasion at normal severity
 * @param without draws of an earlier run of this seed to leave out
 */
export function rollDice<Fault extends string>(
  faults: Readonly<Record<Fault, number>>,
  seed: number,
  without: ReadonlySet<string> = new Set(),
): Dice<Fault> {
  const counts = new Map<string, number>()
  const factors = new Map<Fault, number>()
  const drawn: string[] = []
  const severity = severities[mixed(seed, 'severity', 0) % severities.length] ?? 1
  let isCalm = false

  function draw(name: string): number {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return mixed(seed, name, count)
  }

  function factorOf(fault: Fault): number {
    let factor = factors.get(fault)
    if (factor === undefined) {
      factor = severity * (kinds[mixed(seed, `kind of ${fault}`, 0) % kinds.length] ?? 1)
      factors.set(fault, factor)
    }
    return factor
  }

  function keeps(name: string, count: number): boolean {
    const key = `${name}#${count}`
    if (without.has(key)) return false
    drawn.push(key)
    return true
  }

  return {
    drawn,
    strikes(fault) {
      if (isCalm) return false
      const count = counts.get(fault) ?? 0
      if (draw(fault) / 2 ** 32 >= Math.min(0.9, faults[fault] * factorOf(fault))) return false
      return keeps(fault, count)
    },
    steps() {
      const count = counts.get('person') ?? 0
      counts.set('person', count + 1)
      return keeps('person', count)
    },
    between: (name, from, to) => from + (draw(name) % (to - from + 1)),
    oneOf: (name, list) => list[draw(name) % list.length] as never,
    chance: (name, probability) => draw(name) / 2 ** 32 < probability,
    calm() {
      isCalm = true
    },
    isCalm: () => isCalm,
  }
}

/** Dice for a world without faults. */
export function noDice(): Dice<string> {
  return {
    drawn: [],
    strikes: () => false,
    steps: () => true,
    between: (_name, from) => from,
    oneOf: (_name, list) => list[0] as never,
    chance: () => false,
    calm: () => undefined,
    isCalm: () => true,
  }
}

/** 32 bits of seed, name and count, well mixed. @see MurmurHash3's finaliser */
function mixed(seed: number, name: string, count: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(count + 1, 0xc2b2ae35)
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  for (let round = 0; round < 2; round++) {
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}
