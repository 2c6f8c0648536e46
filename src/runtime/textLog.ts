/**
 * A log of texts in memory, for a person to download.
 *
 * 1. Its text never has more than `maxBytes` bytes of UTF-8; the oldest lines are dropped.
 * 2. Lines below its level are not kept.
 */

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
type Level = (typeof levels)[number]

type TextLogOptions = {
  /** the lowest level that is kept; default `error` */
  level?: Level
  /** default 1,024,000 */
  maxBytes?: number
  /** takes out what must not be kept */
  clean?: (text: string) => string
}

type TextLog = {
  /**
   * Appends one line: time, level and text; line breaks of the text stay. A line larger than the log is not kept.
   *
   * @param time as text, `2026-01-01T00:00:00.000Z`
   */
  add(level: Level, time: string, text: string): void
  /** @returns all kept lines, the oldest first, each ended by a line break */
  text(): string
  /** @returns how many lines were dropped for want of room */
  dropped(): number
}

/** Creates an empty log. */
export function createTextLog(options: TextLogOptions = {}): TextLog {
  const { level: lowest = 'error', maxBytes = 1_024_000, clean = text => text } = options
  const encoder = new TextEncoder()
  let lines: { text: string; bytes: number }[] = []
  // Lines before `first` are dropped; a shift of each would move all others
  let first = 0
  let bytes = 0
  let dropped = 0

  const dropOldest = () => {
    bytes -= lines[first]?.bytes ?? 0
    first += 1
    dropped += 1
    if (first * 2 < lines.length) return
    lines = lines.slice(first)
    first = 0
  }

  return {
    add(level, time, text) {
      if (levels.indexOf(level) < levels.indexOf(lowest)) return
      const line = `${time} ${level} ${clean(text)}\n`
      const size = encoder.encode(line).length
      if (size > maxBytes) {
        dropped += 1
        return
      }
      while (bytes + size > maxBytes) dropOldest()
      lines.push({ text: line, bytes: size })
      bytes += size
    },
    text: () =>
      lines
        .slice(first)
        .map(line => line.text)
        .join(''),
    dropped: () => dropped,
  }
}
