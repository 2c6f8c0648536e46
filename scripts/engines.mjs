/** Finds Firefox and WebKit for the journeys in other engines. Plain Node: runs before any package is installed. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = ['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'python3-gi', 'gir1.2-webkit2-4.1']
/** Imports that `tests/engines/window.py` needs. */
const bindings = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')"

/**
 * Writes the engines of this machine to `cache/engines.json`: `firefox` is a program, `webkit` the driver of WebKitGTK.
 * Its X server is on the PATH, its bindings are those of the system's Python. Installs missing engines on Debian as root; leaves out the rest.
 *
 * @param {{ cache: string, say: (sentence: string) => void, run: (command: string, args: string[], options?: object) => { status: number | null, stdout: string } }} tools
 */
export function findEngines({ cache, say, run }) {
  let found = enginesHere(run)
  if (!(found.firefox && found.webkit) && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    say(`Installing ${packages.join(', ')} with apt-get …`)
    const quiet = { stdio: 'ignore', timeout: 600_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    run('apt-get', ['update', '-q'], quiet)
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet)
    found = enginesHere(run)
  }
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'engines.json'), JSON.stringify(found))
}

/** @param {(command: string, args: string[]) => { status: number | null, stdout: string }} run */
function enginesHere(run) {
  if (process.platform !== 'linux') return {}
  const onPath = (/** @type {string} */ name) => run('which', [name]).stdout.trim()
  const firefox = onPath('firefox-esr') || onPath('firefox')
  const webkit = onPath('Xvfb') && run('/usr/bin/python3', ['-c', bindings]).status === 0 && onPath('WebKitWebDriver')
  return { ...(firefox && { firefox }), ...(webkit && { webkit }) }
}
