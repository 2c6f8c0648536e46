/**
 * @param word as it was typed
 * @returns the closest known word; undefined when none is close
 */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map(one => ({ one, steps: one.startsWith(word) && word.length > 1 ? 1 : distance(word.toLowerCase(), one) }))
    .filter(({ one, steps }) => steps <= Math.max(1, Math.floor(Math.min(word.length, one.length) / 2)))
  return ranked.sort((a, b) => a.steps - b.steps)[0]?.one
}

/** Damerau-Levenshtein distance: letters inserted, deleted, changed or swapped; 9 for words of very different length. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 4) return 9
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let steps = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1)
      row.push(steps)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 9
}
