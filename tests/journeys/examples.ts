/** The example hosts as a reader would run them: the package is packed, installed into a copy of the example, built and started. */
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify, stripVTControlCharacters } from 'node:util'
import type { Addresses } from '../../scripts/addresses.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** An example that answers. */
export type RunningExample = { url: string; folder: string; close(): Promise<void> }
/** The package, and where its examples are set up. */
export type Packing = { start(example: string): Promise<RunningExample>; remove(): Promise<void> }

/** Packs the package for the addresses of a stack, into a folder outside the repository: an example has its own packages alone. */
export async function packPackage(addresses: Addresses): Promise<Packing> {
  const made = await mkdtemp(join(tmpdir(), 'mai-examples-'))
  const args = ['--import', 'tsx', 'scripts/package.ts', '--out', made]
  const { stdout } = await run(process.execPath, args, { cwd: root, env: { ...process.env, ...addresses } })
  const tarball = /^Packed into (.+\.tgz)$/m.exec(stdout)?.[1] ?? ''
  return {
    start: example => startExample(example, made, tarball),
    remove: () => rm(made, { recursive: true, force: true }),
  }
}

async function startExample(example: string, made: string, tarball: string): Promise<RunningExample> {
  const folder = join(made, example)
  await cp(join(root, 'examples', example), folder, { recursive: true })
  const file = join(folder, 'package.json')
  const own = JSON.parse(await readFile(file, 'utf8')) as Record<'scripts' | 'dependencies', Record<string, string>>
  const { scripts, dependencies } = own
  await writeFile(file, JSON.stringify({ ...own, dependencies: { ...dependencies, 'mai-modal': `file:${tarball}` } }))
  const npm = (...args: string[]) => run('npm', args, { cwd: folder })
  await npm('install', '--prefer-offline', '--no-package-lock', '--no-audit', '--no-fund')
  if (scripts.build) await npm('run', 'build')
  // A group of its own, so that the server behind npm ends with it
  const child = spawn('npm', ['start'], { cwd: folder, env: { ...process.env, PORT: '0' }, detached: true })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(stripVTControlCharacters(line))?.[0]
      if (found) resolve(found)
    })
    void ended.then(() => reject(new Error(`${example} ended before it served anything`)))
  })
  const close = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
    await ended
  }
  return { url, folder, close }
}
