import { printable } from '../../runtime/replay/describe.ts'
import type { Recording } from '../../runtime/recording/recording.ts'
import { counts } from '../../runtime/replay/verdict.ts'

/** @returns a line for each unknown type and for a truncated end; empty for a complete recording of known types */
export function unusual({ complete, truncatedAt, unknownTypes }: Recording): string {
  const lines = Object.entries(unknownTypes).map(
    ([type, count]) => `unknown: ${counts(count, 'record')} of ${printable(type)}, newer than this build\n`,
  )
  if (!complete) {
    lines.unshift(`truncated: the file has no trailer and ends at line ${truncatedAt}; the lines before were read\n`)
  }
  return lines.join('')
}
