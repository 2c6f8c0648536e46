/** Random whole numbers between two others. */

/**
 * @param share draws from 0 to 1
 * @returns `count` distinct numbers above `below` and below `above`, ascending; the caller makes sure there is room
 */
export function spread(count: number, below: number, above: number, share: () => number): number[] {
  const room = Math.max(0, above - below - 1 - count)
  const places = Array.from({ length: count }, () => Math.floor(share() * (room + 1))).sort((a, b) => a - b)
  return places.map((place, index) => below + 1 + index + place)
}

/** Values between two neighbouring marks; the first and the last group have a mark on one side only. */
type Between = { values: number[]; below?: number; above?: number }

/**
 * @param values ascending @param marks ascending @returns the values grouped by the marks around them; a mark is below its
 *   equal
 */
export function betweenMarks(values: readonly number[], marks: readonly number[]): Between[] {
  const found = new Map<number, Between>()
  for (const value of values) {
    const at = marks.filter(mark => mark <= value).length
    const group = found.get(at)
    if (group) group.values.push(value)
    else {
      const [below, above] = [marks[at - 1], marks[at]]
      found.set(at, {
        values: [value],
        ...(below === undefined ? {} : { below }),
        ...(above === undefined ? {} : { above }),
      })
    }
  }
  return [...found.values()]
}
