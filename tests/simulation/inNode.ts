/** Runs the same seeds in Node for a test in a browser. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const limitMs = 300_000
/** Fewer collections of garbage, and later optimization as in `vitest.config.ts`. */
const flags = ['--max-semi-space-size=64', '--interrupt-budget=540672']

/** @returns the hashes of these seeds' logs, in order */
export async function simulateInNode(_context: unknown, from: number, count: number): Promise<string[]> {
  const script = join(root, 'tests/simulation/hashes.ts')
  const args = [...flags, '--import', 'tsx', script, String(from), String(count)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: limitMs })
  return JSON.parse(stdout) as string[]
}
