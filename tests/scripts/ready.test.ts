import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const scripts = join(import.meta.dirname, '../../scripts')
let folder: string

/** A small clone: one dependency, installed or not, and an npm that records its calls. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mai-ready-'))
  mkdirSync(join(folder, 'scripts'))
  mkdirSync(join(folder, 'bin'))
  for (const name of ['ready.mjs', 'browser.mjs', 'engines.mjs', 'pinnedBrowser.mjs'])
    copyFileSync(join(scripts, name), join(folder, 'scripts', name))
  writeFileSync(join(folder, 'package.json'), '{"name":"clone","type":"module"}')
  const packages = {
    '': {},
    'node_modules/litesvm': { version: '1.4.1' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  program('npm', 'echo called >> npm-calls; exit 7')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, body: string): string {
  const path = join(folder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
  return path
}

function install(version: string, source = 'export {}'): void {
  const home = join(folder, 'node_modules/litesvm')
  mkdirSync(home, { recursive: true })
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ name: 'litesvm', version, type: 'module', main: 'index.js' }),
  )
  writeFileSync(join(home, 'index.js'), source)
  const packages = { 'node_modules/litesvm': { version } }
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
}

function ready(args: string[] = [], env: Record<string, string> = {}) {
  const clean = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, ...env }
  const done = spawnSync(process.execPath, [join(folder, 'scripts/ready.mjs'), ...args], {
    cwd: folder,
    env: clean,
    encoding: 'utf8',
  })
  const calls = join(folder, 'npm-calls')
  return {
    code: done.status,
    said: done.stdout + done.stderr,
    installs: existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0,
  }
}

describe('getting ready', () => {
  test('in an empty clone installs, and reports a failure', () => {
    const { code, said, installs } = ready()
    expect(installs).toBe(1)
    expect(code).toBe(1)
    expect(said).toContain('npm ci could not install the packages')
  })

  test('with everything present installs and prints nothing', () => {
    install('1.4.1')
    expect(ready()).toEqual({ code: 0, said: '', installs: 0 })
    expect(ready()).toEqual({ code: 0, said: '', installs: 0 })
  })

  test('installs again when the lockfile has another version', () => {
    install('1.4.0')
    expect(ready().installs).toBe(1)
  })

  test('installs again when the lockfile has another hash of the same version', () => {
    const packages = { '': {}, 'node_modules/litesvm': { version: '1.4.1', integrity: 'sha512-x' } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
    install('1.4.1')
    expect(ready().installs).toBe(1)
  })

  test('names the native binding when it does not load', () => {
    install('1.4.1', "throw new Error('no binding')")
    const { code, said } = ready()
    expect(code).toBe(1)
    expect(said.trim()).toMatch(/^The native binding of litesvm .* is missing or does not load on .*\.$/)
  })

  test('takes the browser of CHROME_BIN, and refuses one that does not run', () => {
    install('1.4.1')
    const browser = program('my-browser', 'echo Chromium 1')
    expect(ready(['--browser'], { CHROME_BIN: browser }).code).toBe(0)
    expect(readFileSync(join(folder, 'node_modules/.cache/ready/browser'), 'utf8')).toBe(browser)
    const missing = ready(['--browser'], { CHROME_BIN: join(folder, 'none') })
    expect(missing.code).toBe(1)
    expect(missing.said).toContain('which does not run')
  })

  test('prefers the saved browser to the system’s', () => {
    install('1.4.1')
    const browser = program('kept', 'echo Chromium 1')
    program('chromium', 'echo Chromium 2')
    mkdirSync(join(folder, 'node_modules/.cache/ready'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/.cache/ready/browser'), browser)
    expect(ready(['--browser']).code).toBe(0)
    expect(readFileSync(join(folder, 'node_modules/.cache/ready/browser'), 'utf8')).toBe(browser)
  })

  test("takes the system's headless shell before its Chromium when the saved one is gone", () => {
    install('1.4.1')
    program('chromium', 'echo Chromium 2')
    const system = program('chromium-headless-shell', 'echo Chromium 2')
    mkdirSync(join(folder, 'node_modules/.cache/ready'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/.cache/ready/browser'), join(folder, 'gone'))
    expect(ready(['--browser']).code).toBe(0)
    expect(readFileSync(join(folder, 'node_modules/.cache/ready/browser'), 'utf8')).toBe(system)
  })

  test('saves the present engines, and installs missing ones where it may', () => {
    install('1.4.1')
    const engines = () => JSON.parse(readFileSync(join(folder, 'node_modules/.cache/ready/engines.json'), 'utf8'))
    const called = join(folder, 'apt-calls')
    program('which', `test -f "${join(folder, 'bin', '$1')}" && echo "${join(folder, 'bin', '$1')}"`)
    program('apt-get', `echo "$*" >> ${called}; exit 100`)
    expect(ready(['--engines']).code).toBe(0)
    expect(engines()).toEqual({})
    const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0
    const installs = isDebianRoot ? readFileSync(called, 'utf8').split('\n')[1] : undefined
    if (isDebianRoot)
      expect(installs).toMatch(/^install .* firefox-esr webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1$/)
    const firefox = program('firefox', 'echo Firefox 153')
    expect(ready(['--engines']).code).toBe(0)
    expect(engines()).toEqual({ firefox })
  })

  describe('on a machine without a browser', () => {
    const saved = () => readFileSync(join(folder, 'node_modules/.cache/ready/browser'), 'utf8')
    const shell = () =>
      join(folder, 'browsers/chromium_headless_shell-1/chrome-headless-shell-linux64/chrome-headless-shell')

    /** A fake Playwright with the used commands; `reaches` tells whether its download host answers. */
    function playwright(reaches: boolean): void {
      const home = join(folder, 'node_modules/playwright')
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, 'package.json'), '{"name":"playwright","main":"index.js"}')
      writeFileSync(join(home, 'index.js'), "exports.chromium = { executablePath: () => '/nowhere/chrome' }")
      const download = `fs.mkdirSync(path.dirname(${JSON.stringify(shell())}), { recursive: true })
        fs.writeFileSync(${JSON.stringify(shell())}, '#!/bin/sh\\necho Chromium 3\\n', { mode: 0o755 })`
      writeFileSync(
        join(home, 'cli.js'),
        `const fs = require('node:fs'), path = require('node:path')
        if (process.argv.includes('--list')) console.log('Browsers:\\n  ' + ${JSON.stringify(join(folder, 'browsers/chromium_headless_shell-1'))})
        else if (${reaches}) { ${download} } else process.exit(1)`,
      )
    }

    beforeEach(() => {
      install('1.4.1')
      // Hides the machine's own browser until the package manager installs one
      program('which', `test -f "${join(folder, 'bin', '$1')}" && echo "${join(folder, 'bin', '$1')}"`)
      program('apt-get', 'exit 100')
    })

    test('downloads one with Playwright', () => {
      playwright(true)
      const { code, said } = ready(['--browser'])
      expect({ code, said }).toEqual({ code: 0, said: 'No Chromium found, downloading one with Playwright …\n' })
      expect(saved()).toBe(shell())
    })

    test('names the package to install when none brings one', () => {
      playwright(false)
      const { code, said } = ready(['--browser'])
      expect(code).toBe(1)
      expect(said).toContain('install Chromium or Chrome, or set CHROME_BIN')
    })

    test.runIf(existsSync('/etc/debian_version') && process.getuid?.() === 0)('takes it from the distribution', () => {
      playwright(false)
      const path = join(folder, 'bin/chromium-headless-shell')
      program(
        'apt-get',
        `test "$5" = chromium-headless-shell && printf '#!/bin/sh\\necho Chromium 4\\n' > ${path} && chmod +x ${path}; exit 0`,
      )
      expect(ready(['--browser']).code).toBe(0)
      expect(saved()).toBe(path)
    })
  })
})
