import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { Fault } from '../../src/runtime/failure.ts'
import { refused } from '../../src/main/replay/verb.ts'

/**
 * Writes a file that a reader sees either as it was or whole, and that is on disk afterwards.
 *
 * @throws Fault `bad_input` naming the file that cannot be written
 */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`
  try {
    const file = openSync(part, 'w')
    try {
      writeAll(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(part, path)
  } catch (cause) {
    rmSync(part, { force: true })
    throw notWritten(path, cause)
  }
}

/** @returns a Fault `bad_input` naming the file that cannot be written, and the cause */
export function notWritten(path: string, cause: unknown): Fault {
  return refused(`cannot write ${path}: ${(cause as NodeJS.ErrnoException).code ?? 'it failed'}`)
}

/**
 * Writes a text to its last octet: one call of the system may write a part of it.
 *
 * @param write stands in for a full disk
 */
export function writeAll(file: number, text: string, write: typeof writeSync = writeSync): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += write(file, bytes, at)
}

/** Makes a folder where there is none. @throws Fault `bad_input` naming the one that cannot be made */
export function makeFolder(what: string, path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { recursive: true, mode })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw refused(`cannot make ${what} ${path}: ${code === 'EEXIST' ? 'a file has this name' : (code ?? 'it failed')}`)
  }
}
