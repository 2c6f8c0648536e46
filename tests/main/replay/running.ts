/** Runs the command in this process, over files in a folder for each test file, because test files share modules. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { replayCommand } from '../../../src/main/replay/command.ts'

export type Said = { code: number; out: string; err: string }

/** Makes the folder of one test file, which is removed with it. `file` writes a file into it and returns its path. */
export function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return {
    folder,
    file(name: string, content: string | Uint8Array): string {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    replay: (...args: string[]): Promise<Said> => replayIn(folder, ...args),
  }
}

/** @param root folder of the recordings */
export async function replayIn(root: string, ...args: string[]): Promise<Said> {
  const said = { out: '', err: '' }
  const code = await replayCommand(args, {
    out: { write: text => (said.out += text) },
    err: { write: text => (said.err += text) },
    build: 'running-build',
    root,
  })
  return { code, ...said }
}

/** @returns one value for each line */
export function jsonLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)
}
