import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isProgress } from './progress.ts'

/** `failures` names the failed tests, where the runner reports them. */
export type Count = { passed: number; failed: number; skipped?: number; failures?: string[] }

/** Result of one runner. */
export type Outcome = { name: string; count: Count; seconds: number; note: string | undefined }

export type Check = {
  name: string
  cwd: string
  command: string[]
  /** Reads the runner's own report; without it only the exit code counts. */
  count?: (() => Count) | undefined
  /** Timeout in ms; then the runner and its child processes are killed. */
  limitMs: number
  env: Record<string, string>
}

/**
 * Runs one check. Shows its progress lines as they come, and the rest of its output only if it failed.
 * Never throws: a runner that breaks counts as failed.
 */
export async function runCheck({ name, cwd, command, count, limitMs, env }: Check): Promise<Outcome> {
  console.log(`── ${name}: begins`)
  const began = performance.now()
  const { ended, output } = await run({ cwd, command, limitMs, env })
  const seconds = (performance.now() - began) / 1000
  const outcome = (counted: Count, note?: string): Outcome => {
    if (counted.failed > 0 && output !== '') console.log(`\n── ${name}: output\n${output.trimEnd()}\n`)
    console.log(`── ${name}: ${counted.passed} passed, ${counted.failed} failed in ${seconds.toFixed(0)} s`)
    return { name, count: counted, seconds, note }
  }
  if (ended === 'late') {
    return outcome(plusOne(count ? tried(count) : undefined), `ended after ${limitMs / 1000} s, its time`)
  }
  if (!count) return outcome(ended === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
  const counted = tried(count)
  if (!counted) return outcome({ passed: 0, failed: 1 }, 'left no report')
  if (counted.passed + counted.failed === 0) return outcome({ passed: 0, failed: 1 }, 'found no test')
  if (ended !== 0 && counted.failed === 0) return outcome(plusOne(counted), `ended with code ${ended} outside any test`)
  return outcome(counted)
}

function tried(count: () => Count): Count | undefined {
  try {
    return count()
  } catch {
    return undefined
  }
}

function plusOne(count: Count | undefined): Count {
  return { ...count, passed: count?.passed ?? 0, failed: (count?.failed ?? 0) + 1 }
}

/** Command line that runs a package's program with this Node, on every platform. */
export function node(root: string, [name, bin = name]: [name: string, bin?: string], args: string[]): string[] {
  const require = createRequire(join(root, 'package.json'))
  // Some packages export no main file, so look for the package's folder.
  const folder =
    require.resolve
      .paths(name)
      ?.map(path => join(path, name))
      .find(path => existsSync(join(path, 'package.json'))) ?? name
  const { bin: bins } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const file = typeof bins === 'string' ? bins : bins[bin]
  if (file === undefined) throw new Error(`package ${name} has no program ${bin}`)
  return [process.execPath, join(folder, file), ...args]
}

/** A package's warning about a native part it does without; install scripts are off. */
const bindings = 'bigint: Failed to load bindings'

function run({
  cwd,
  command,
  limitMs,
  env,
}: Omit<Check, 'name' | 'count'>): Promise<{ ended: number | 'late'; output: string }> {
  const [program = '', ...args] = command
  // A process group of its own, so that its browsers end with it.
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  })
  const end = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => {
      if (isProgress(line)) console.log(line)
      else if (!line.startsWith(bindings)) output += `${line}\n`
    })
  return new Promise(resolve => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      end()
    }, limitMs)
    const interrupted = () => {
      end()
      process.exit(130)
    }
    process.once('SIGINT', interrupted)
    process.once('SIGTERM', interrupted)
    const done = (code: number) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', interrupted)
      end()
      resolve({ ended: late ? 'late' : code, output })
    }
    child.once('error', () => done(1))
    // Output may still arrive after the exit
    child.once('close', code => done(code ?? 1))
    child.once('exit', end)
  })
}
