/** WebKitGTK in a bare window on an X server of its own: the engine of Safari and of every browser on an iPhone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { freePort } from '../../scripts/ports.ts'
import { type Device, sizes, type Tab } from './tab.ts'
import { openSession } from './webdriver.ts'

/** Longest time until a program listens, ms. */
const listenMs = 30_000
const program = join(import.meta.dirname, 'window.py')

/** Opens a private window: its profile goes with it. The driver has no finger. */
export async function openWebKit(device: Device): Promise<Tab> {
  const { width, height } = sizes[device]
  const home = await mkdtemp(join(tmpdir(), 'mai-webkit-'))
  const started: ChildProcess[] = []
  const end = async () => {
    for (const child of started.splice(0).reverse()) await ended(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1600x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    started.push(screen)
    const display = await firstLine(screen.stdio[3] as Readable)
    const port = await freePort(0)
    const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, ...surroundings(`:${display}`, home) },
    })
    started.push(driver)
    const address = `http://127.0.0.1:${port}`
    await listening(`${address}/status`)
    const options = { binary: program, args: [`${width}x${height}`] }
    const tab = await openSession(address, { browserName: 'window', 'webkitgtk:browserOptions': options })
    return { ...tab, close: () => tab.close().finally(end) }
  } catch (fault) {
    await end()
    throw fault
  }
}
/** A fresh profile and software rendering. The sandbox does not work inside a container. */
function surroundings(display: string, home: string): Record<string, string> {
  return {
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
  }
}

async function firstLine(stream: Readable): Promise<string> {
  const [chunk] = (await once(stream, 'data', { signal: AbortSignal.timeout(listenMs) })) as [Buffer]
  return chunk.toString().trim()
}

/** Retries until the driver answers. */
async function listening(url: string): Promise<void> {
  for (let asked = 0; asked < listenMs / 50; asked += 1) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`expected ${url} to answer within ${listenMs / 1000} s, it did not`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
