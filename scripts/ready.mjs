/**
 * Prepares a clone: checks Node, installs packages, checks the native binding; with `--browser` finds a browser, with
 * `--engines` Firefox and WebKit where the machine supports them, with `--pinned` the Chromium of the pictures.
 * Plain Node without dependencies: it runs before node_modules exists. `ignore-scripts` disables npm's pre-scripts, so every
 * command that needs this calls it by name.
 *
 *   node scripts/ready.mjs [--browser] [--engines] [--pinned]
 *
 * Silent when nothing is missing. Otherwise exits with code 1 and one sentence that names the remedy.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from './browser.mjs'
import { findEngines } from './engines.mjs'
import { fetchPinnedBrowser } from './pinnedBrowser.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, 'node_modules', '.cache', 'ready')

try {
  requireNode('20.19.0')
  installPackages()
  if (process.argv.includes('--browser')) findBrowser({ root, cache, say, run })
  if (process.argv.includes('--engines')) findEngines({ cache, say, run })
  if (process.argv.includes('--pinned')) fetchPinnedBrowser({ cache, say, run })
} catch (problem) {
  console.error(`\n${problem instanceof Error ? problem.message : problem}\n`)
  process.exit(1)
}

/** @param {string} least lowest supported version, such as `20.19.0` */
function requireNode(least) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  throw new Error(
    `This project needs Node ${leastMajor}.${leastMinor} or newer, this is Node ${process.versions.node}: ` +
      'install a current version from https://nodejs.org and run the command again.',
  )
}

/** Installs from the lockfile unless node_modules matches it. */
function installPackages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const machine = `${process.version} ${process.platform} ${process.arch}`
  const stamp = createHash('sha256').update(lock).update(machine).digest('hex')
  const stampFile = join(cache, 'stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  if (!installedAsLocked(lock)) {
    say('Installing the packages of package-lock.json (npm ci) …')
    const npm = process.env.npm_execpath
    const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
    // npm passes its own path to its scripts; without it (plain `node scripts/ready.mjs`) npm comes from the PATH.
    const done = npm?.endsWith('.js')
      ? run(process.execPath, [npm, ...args], { stdio: 'inherit' })
      : run('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
    if (done.status !== 0) {
      throw new Error('npm ci could not install the packages (its message is above): mend that and run again.')
    }
  }
  requireBinding()
  mkdirSync(cache, { recursive: true })
  writeFileSync(stampFile, stamp)
}

/**
 * Compares node_modules with the lockfile by npm's hidden lockfile in node_modules. Optional packages of other platforms are in
 * package-lock.json only.
 */
function installedAsLocked(/** @type {string} */ lock) {
  const note = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(note)) return false
  const wanted = JSON.parse(lock).packages
  const have = JSON.parse(readFileSync(note, 'utf8')).packages
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue
    const found = have[path]
    if (!found && entry.optional) continue
    if (found?.version !== entry.version || found?.integrity !== entry.integrity) return false
    if (!existsSync(join(root, path, 'package.json'))) return false
  }
  return Object.keys(have).every(path => path in wanted)
}

/** The local chain needs a native library, which npm skips silently on platforms without a published one. */
function requireBinding() {
  const tried = run(process.execPath, ['--input-type=module', '-e', "await import('litesvm')"], { cwd: root })
  if (tried.status === 0) return
  throw new Error(
    `The native binding of litesvm (the local Solana chain) is missing or does not load on ${process.platform} ${process.arch}: ` +
      'delete node_modules and run the command again; if that does not help, use Linux or macOS on x64 or arm64.',
  )
}

/** @type {(command: string, args: string[], options?: import('node:child_process').SpawnSyncOptions) => { status: number | null, stdout: string }} */
function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, encoding: 'utf8', ...options })
  return { status: done.status, stdout: String(done.stdout ?? '') }
}

/** @param {string} sentence */
function say(sentence) {
  console.log(sentence)
}
