import { printable } from '../../runtime/replay/describe.ts'
import type { Recording } from '../../runtime/recording/recording.ts'
import { counts } from '../../runtime/replay/verdict.ts'

/** @returns a line for each thing that is not as in a whole recording of this build; nothing for most */
export function unusual({ complete, truncatedAt, unknownTypes }: Recording): string {
  const lines = Object.entries(unknownTypes).map(
    ([type, count]) => `unknown: ${counts(count, 'record')} of ${printable(type)}, newer than this build\n`,
  )
  if (!complete) {
    lines.unshift(`truncated: the file has no trailer and ends at line ${truncatedAt}; what is there was read\n`)
  }
  return lines.join('')
}
