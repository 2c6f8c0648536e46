/** Fetches the one Chromium in which pictures are compared. Plain Node: runs before any package is installed. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** The last version that runs on Node 20. Its own code is not used, only the program and its libraries. */
const version = '147.0.2'
const sha512 = 'oqXyPAlGQuT9wdZAhcx4nmhehVgEsDc2adL/+FlX8qsLh/YyOgl9GQp8dPMDIBRmktxgA9c1QSNJIQUj2UeHhQ=='

/**
 * Fetches the pinned Chromium once, and saves its folder to `cache/pinned`: `chromium`, and the libraries it needs in `lib`.
 * Another machine than Linux on x64 has none, nor one without a registry.
 *
 * @param {{ cache: string, say: (sentence: string) => void, run: (command: string, args: string[], options?: object) => { status: number | null, stdout: string } }} tools
 * @throws Error when the package is another than the pinned one
 */
export function fetchPinnedBrowser({ cache, say, run }) {
  const place = join(cache, `chromium-${version}`)
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(place)) return
  say(`Fetching Chromium ${version}, in which pictures are compared …`)
  const work = `${place}.part`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const npm = process.env.npm_execpath
  const pack = ['pack', `@sparticuz/chromium@${version}`, '--ignore-scripts', '--silent', '--pack-destination', work]
  const packed = npm?.endsWith('.js') ? run(process.execPath, [npm, ...pack]) : run('npm', pack)
  const file = join(work, packed.stdout.trim())
  if (packed.status !== 0) return say('npm could not fetch it: no picture is compared.')
  const found = createHash('sha512').update(readFileSync(file)).digest('base64')
  if (found !== sha512) throw new Error(`@sparticuz/chromium ${version} expected the hash ${sha512}, got ${found}.`)
  const unpacked = (/** @type {string} */ name) => brotliDecompressSync(readFileSync(join(work, 'package/bin', name)))
  untar(run, file, work)
  writeFileSync(join(work, 'chromium'), unpacked('chromium.br'))
  chmodSync(join(work, 'chromium'), 0o755)
  writeFileSync(join(work, 'libraries.tar'), unpacked('al2023.tar.br'))
  untar(run, join(work, 'libraries.tar'), work)
  for (const name of ['package', 'libraries.tar', packed.stdout.trim()])
    rmSync(join(work, name), { recursive: true, force: true })
  renameSync(work, place)
  writeFileSync(join(cache, 'pinned'), place)
}

/**
 * @param {(command: string, args: string[]) => { status: number | null }} run
 * @param {string} file
 * @param {string} folder
 */
function untar(run, file, folder) {
  if (run('tar', ['xf', file, '-C', folder]).status !== 0) throw new Error(`tar could not unpack ${file}: install tar.`)
}
