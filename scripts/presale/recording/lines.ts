/** The file of a recording that is being made. */
import { closeSync, openSync, type writeSync } from 'node:fs'
import { refused } from '../../../src/main/replay/verb.ts'
import type { PresaleIo } from '../verb.ts'
import { writeAll } from '../writeWhole.ts'
import type { RunLine } from './format.ts'

export type Lines = { add(line: RunLine): void; close(): void }

/**
 * A recording that cannot be written further ends there, with a warning: the run goes on, as money may be on its way.
 *
 * @param write stands in for a full disk
 * @throws Fault `bad_input` when the file exists or cannot be made
 */
export function openLines(path: string, { err }: Pick<PresaleIo, 'err'>, write?: typeof writeSync): Lines {
  let file: number | undefined
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw refused(`--record cannot make ${path}: ${code === 'EEXIST' ? 'it exists already' : (code ?? 'it failed')}`)
  }
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    add(line) {
      if (file === undefined) return
      try {
        writeAll(file, `${JSON.stringify(line)}\n`, write)
      } catch (cause) {
        close()
        err.write(`warning: the recording ${path} ends here: ${(cause as NodeJS.ErrnoException).code ?? 'it failed'}\n`)
      }
    },
    close,
  }
}
