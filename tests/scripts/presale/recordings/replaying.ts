/** Recordings as a test reads, changes and replays them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import type { RunLine } from '../../../../scripts/presale/recording/format.ts'
import { recordedFolder } from './recordedSale.ts'

/** @returns exit code and output of a command that has neither node nor key */
export async function presale(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const told = { out: '', err: '' }
  const noNode: typeof fetch = async () => {
    throw new Error('a replay expected to need no node')
  }
  const code = await presaleCommand(args, {
    out: { write: text => (told.out += text) },
    err: { write: text => (told.err += text) },
    call: noNode,
  })
  return { code, ...told }
}

/** Paths of the committed recordings, in the order of the sale. */
export function recordedRuns(): string[] {
  const names = readdirSync(recordedFolder).filter(name => name.endsWith('.jsonl'))
  return names.sort().map(name => join(recordedFolder, name))
}

/** @param name without its number */
export function recordedRun(name: string): string {
  const found = recordedRuns().find(path => new RegExp(`/\\d\\d-${name}\\.jsonl$`).test(path))
  if (found === undefined) throw new Error(`expected a recording of ${name}, got none`)
  return found
}

export function linesOf(path: string): RunLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as RunLine)
}

/** Writes texts as files of a folder, replays them one by one, and removes them. */
export async function replayText(text: string): Promise<{ code: number; out: string; err: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'mai-replays-'))
  const file = join(folder, 'run.jsonl')
  try {
    writeFileSync(file, text)
    const { code, out, err } = await presale('replay', file)
    return { code, out: out.replaceAll(file, 'run.jsonl'), err: err.replaceAll(file, 'run.jsonl') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function replayLines(lines: readonly object[]): ReturnType<typeof replayText> {
  return replayText(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}
