/** Text for a terminal: columns aligned, lines cut to its width, colours where it shows them. */
import type { Output } from './verb.ts'

/** `columns` is absent for a pipe or a file, whose lines stay whole. */
type Terminal = { columns?: number; colour: boolean }

/** A part of a line. `width` pads it; `right` aligns it to the right. */
export type Cell = { text: string; width?: number; right?: true; tone?: 'dim' | 'bad' | 'strong' }

const codes = { dim: [2, 22], bad: [31, 39], strong: [1, 22] } as const

/** @param env `NO_COLOR`, unless empty, and `TERM=dumb` take the colours away */
export function terminalOf(out: Output, env: Readonly<Record<string, string | undefined>>): Terminal {
  if (!out.isTTY) return { colour: false }
  const colour = !env.NO_COLOR && env.TERM !== 'dumb'
  return out.columns ? { columns: out.columns, colour } : { colour }
}

/** @returns one line; the text of the cells is already printable */
export function terminalLine(cells: readonly Cell[], { columns = Number.POSITIVE_INFINITY, colour }: Terminal): string {
  let room = columns
  const parts: string[] = []
  cells.forEach(({ text, width = 0, right, tone }, place) => {
    const last = place === cells.length - 1
    const padded = `${right ? text.padStart(width) : last ? text : text.padEnd(width)}${last ? '' : '  '}`
    const shown = padded.length <= room ? padded : room > 0 ? `${padded.slice(0, room - 1)}…` : ''
    room -= shown.length
    const [on, off] = tone ? codes[tone] : []
    parts.push(colour && on !== undefined && shown.trim() !== '' ? `\u001b[${on}m${shown}\u001b[${off}m` : shown)
  })
  return parts.join('').trimEnd()
}
