/** Finds a Chromium for the tests and saves its path. Plain Node: runs before any package is installed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The headless shell comes first: without a window to draw, journeys take a quarter less CPU. */
const systemNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Saves the path of the first browser that answers `--version` to `cache/browser`. Candidates in order: `CHROME_BIN`, the saved
 * path, the system's, Playwright's own, a Playwright download, the distribution's package.
 *
 * @param {{ root: string, cache: string, say: (sentence: string) => void, run: (command: string, args: string[], options?: object) => { status: number | null, stdout: string } }} tools
 * @throws Error naming the remedy when no browser can be found or installed
 */
export function findBrowser({ root, cache, say, run }) {
  const saved = join(cache, 'browser')
  const works = (/** @type {string} */ path) => run(path, ['--version'], { timeout: 20_000 }).status === 0
  const keep = (/** @type {string} */ path) => {
    mkdirSync(cache, { recursive: true })
    writeFileSync(saved, path)
  }

  const chosen = process.env.CHROME_BIN
  if (chosen) {
    if (works(chosen)) return keep(chosen)
    throw new Error(`CHROME_BIN is ${chosen}, which does not run: point it at a Chromium or Chrome, or unset it.`)
  }
  const before = existsSync(saved) ? readFileSync(saved, 'utf8') : ''
  if (before && works(before)) return
  const here = systemPaths(run).find(works)
  if (here) return keep(here)

  const playwright = createRequire(join(root, 'package.json'))
  const own = () => {
    try {
      return playwright('playwright').chromium.executablePath()
    } catch {
      return ''
    }
  }
  const cli = join(dirname(playwright.resolve('playwright/package.json')), 'cli.js')
  const shell = () => shellPath(run(process.execPath, [cli, 'install', '--list'], { timeout: 20_000 }).stdout)
  const ready = () => [own(), shell()].find(path => path && existsSync(path) && works(path))

  let found = ready()
  if (found) return keep(found)
  say('No Chromium found, downloading one with Playwright …')
  run(process.execPath, [cli, 'install', '--only-shell', 'chromium'], { stdio: 'inherit', timeout: 300_000 })
  found = ready()
  if (found) return keep(found)

  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    say('Installing the headless shell of Chromium with apt-get …')
    const quiet = { stdio: 'ignore', timeout: 400_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    run('apt-get', ['update', '-q'], quiet)
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium-headless-shell'], quiet)
    const installed = systemPaths(run).find(works)
    if (installed) return keep(installed)
  }
  throw new Error(
    'The tests need a browser and none could be found or installed: install Chromium or Chrome, ' +
      'or set CHROME_BIN to the path of one, and run the command again.',
  )
}

/** @param {(command: string, args: string[]) => { status: number | null, stdout: string }} run */
function systemPaths(run) {
  if (process.platform === 'darwin') return macPaths.filter(path => existsSync(path))
  if (process.platform === 'win32') return []
  return systemNames.map(name => run('which', [name]).stdout.trim()).filter(path => path !== '')
}

/**
 * Path of the headless shell in the output of `playwright install --list`.
 *
 * @param {string} listing
 */
function shellPath(listing) {
  const folder = listing
    .split('\n')
    .map(line => line.trim())
    .find(line => line.includes('chromium_headless_shell-'))
  if (!folder) return ''
  const inside = ['chrome-headless-shell-linux64', 'chrome-headless-shell-mac-arm64', 'chrome-headless-shell-mac-x64']
  const paths = [
    ...inside.map(name => join(folder, name, 'chrome-headless-shell')),
    join(folder, 'chrome-linux', 'headless_shell'),
  ]
  return paths.find(path => existsSync(path)) ?? ''
}
