import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isProgress } from './progress.ts'

/** `failures` names the tests that failed, where the runner can tell them. */
export type Count = { passed: number; failed: number; skipped?: number; failures?: string[] }

/** How one runner ended. */
export type Outcome = { name: string; count: Count; seconds: number; note: string | undefined }

export type Check = {
  name: string
  cwd: string
  command: string[]
  /** Reads the runner's own report; without it the exit code is the one thing counted. */
  count?: (() => Count) | undefined
  /** After this many ms it is ended, with everything it started. */
  limitMs: number
  env: Record<string, string>
}

/**
 * Runs one check to its end. Its lines of progress are shown as they come, the rest of its output once it has failed.
 * Never throws: a runner that breaks is counted as failed.
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

/** The command line that starts a package's own program with this Node, on every platform alike. */
export function node(root: string, [name, bin = name]: [name: string, bin?: string], args: string[]): string[] {
  const require = createRequire(join(root, 'package.json'))
  // Asking for the main file would run into packages that do not export one; their folder is what is wanted.
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

function run({
  cwd,
  command,
  limitMs,
  env,
}: Omit<Check, 'name' | 'count'>): Promise<{ ended: number | 'late'; output: string }> {
  const [program = '', ...args] = command
  // A group of its own, so that a browser it started ends with it.
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
      // It has ended by itself.
    }
  }
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => {
      if (isProgress(line)) console.log(line)
      else output += `${line}\n`
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
    // Its output may still be on the way when it exits
    child.once('close', code => done(code ?? 1))
    child.once('exit', end)
  })
}
