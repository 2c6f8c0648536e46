/** Verdicts on measurements, and their table. */

/** Goal of a row; `of` says whether it limits our figure or its ratio to the comparison. */
export type Goal = { of: 'ours' | 'ratio'; atMost: number }

/** One measurement beside a comparison of the same run: a measured one, or a fixed limit. */
export type Row = {
  name: string
  unit: 'kB' | 'bytes' | 'ms' | 'µs' | 'renders' | 'requests' | 'shift'
  ours: number
  comparison: { what: string; value: number }
  /** Absent for informational figures. */
  goal?: Goal
}

/** A row without a measurement, with the reason. */
export type Broken = { name: string; problem: string }

export type Verdict = 'ok' | 'WARN' | 'FAIL' | ''

/** @returns ours divided by the comparison; undefined for a comparison of 0 */
export function ratioOf({ ours, comparison }: Row): number | undefined {
  return comparison.value === 0 ? undefined : ours / comparison.value
}

/** @returns WARN over the goal, FAIL over twice the goal or without a figure, empty without a goal */
export function verdictOf(row: Row | Broken): Verdict {
  if ('problem' in row || !Number.isFinite(row.ours)) return 'FAIL'
  if (!row.goal) return ''
  const judged = row.goal.of === 'ours' ? row.ours : ratioOf(row)
  if (judged === undefined || !Number.isFinite(judged)) return 'FAIL'
  if (judged <= row.goal.atMost) return 'ok'
  return judged <= 2 * row.goal.atMost ? 'WARN' : 'FAIL'
}

/** @returns exit code: 1 when a row failed; warnings alone give 0 */
export function exitCodeOf(rows: readonly (Row | Broken)[]): 0 | 1 {
  return rows.some(row => verdictOf(row) === 'FAIL') ? 1 : 0
}

/** @returns the median, for an even count the mean of the middle two; NaN for none */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** @returns the smallest value not exceeded by at least this share (0–1) of the values; NaN for none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** @returns the rows as one table, one line each; a broken row gives its reason */
export function tableOf(rows: readonly (Row | Broken)[]): string {
  const cells = rows.map(row =>
    'problem' in row
      ? [verdictOf(row), row.name, '–', '–', '–', '–', `did not run: ${row.problem.split('\n')[0]}`]
      : [
          verdictOf(row),
          row.name,
          `${shown(row.ours)} ${row.unit}`,
          row.goal ? `≤ ${row.goal.atMost}${row.goal.of === 'ratio' ? '×' : ` ${row.unit}`}` : '',
          `${shown(row.comparison.value)} ${row.unit}`,
          ratioOf(row) === undefined ? '–' : `${shown(ratioOf(row) ?? 0)}×`,
          row.comparison.what,
        ],
  )
  const all = [['', 'measured', 'ours', 'goal', 'beside', 'ratio', 'what stands beside it'], ...cells]
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map(line => line[column]?.length ?? 0)))
  const isFigure = (column: number) => column >= 2 && column <= 5
  const fit = (text: string, column: number) =>
    isFigure(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
  return all.map(line => line.map(fit).join('  ').trimEnd()).join('\n')
}

function shown(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value === 0 ? '0' : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
