/** Kills whole browsers: every process of one during a visit; another opens the same profile. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type BrowserContext, chromium } from 'playwright'
import { savedBrowser } from '../../scripts/savedBrowser.ts'
import { seededChance } from './chance.ts'
import { openDocket, type Told, tellAll } from './docket.ts'
import type { Seen } from './seen.ts'
import { walletWord } from './visitor.ts'
import { comeToRest, openKillsPage, within } from './workers.ts'
import { expiryBlocks, finalBlocks, fund, goOn, type KillWorld } from './world.ts'

const goneMs = 10_000

/**
 * One visitor, one profile, many browsers.
 *
 * @param run `round` and the seed name every choice; no browser is killed before it acknowledged `least` records
 * @throws Error when a browser or its core does not come up
 */
export async function killBrowsers(
  { stack, url, folder }: KillWorld,
  { seed, round, kills, least = 0 }: { seed: string; round: number; kills: number; least?: number },
  tell: Told,
): Promise<void> {
  const chance = seededChance(seed, 'browsers', round)
  const profile = await mkdtemp(join(folder, 'profile-'))
  const word = walletWord(seed, `browsers ${round}`)
  const docket = openDocket()
  let pending: string[] = []
  for (let browser = 0; ; browser++) {
    const context = await launch(profile)
    try {
      // A page's last observations would die with it
      const streamed: Seen[] = []
      await context.exposeBinding('__seen', (_, one: Seen) => void streamed.push(one))
      const page = await openKillsPage(await context.newPage(), url)
      const words = [seed, 'browsers', round, browser]
      const address = await page.evaluate(visit => window.kills?.start(visit) ?? '', { words, word })
      if (browser === 0) fund(stack, address)
      // A pending request dies with its page: the order ends only when it has provably expired
      stack.solana.chain.advance(expiryBlocks)
      goOn(stack, chance)

      const isLast = browser === kills
      const isEarly = !isLast && chance.below(5) === 0
      let told = 0
      if (isLast) await comeToRest(page, () => stack.solana.chain.advance(finalBlocks))
      if (!isEarly) {
        const testifying = page.evaluate(() => window.kills?.testify())
        const testimony = await within('a core in a new browser', testifying)
        told = testimony.seen.length
        tellAll(tell, pending, await (isLast ? docket.close(testimony, stack, address) : docket.judge(testimony)))
        pending = []
      }
      if (isLast) return

      const afterMs = isEarly ? chance.below(300) : chance.oneOf([chance.below(300), chance.below(3000)])
      await wait(afterMs)
      while (streamed.filter(isAcknowledged).length < least) await wait(10)
      await kill(context)
      for (const one of streamed.slice(told)) docket.see(one)
      docket.see({ saw: 'killed' })
      pending.push(`browser ${browser + 1}, ${afterMs} ms after its ${isEarly ? 'page began' : 'log was read'}`)
    } finally {
      await context.close().catch(() => undefined)
    }
  }
}

const isAcknowledged = ({ saw }: Seen) => saw === 'command' || saw === 'answer' || saw === 'pageFact'

function launch(profile: string): Promise<BrowserContext> {
  const executablePath = savedBrowser()
  return chromium.launchPersistentContext(profile, {
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** Kills the browser's main process first, so that the others cannot report anything; then the others. */
async function kill(context: BrowserContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession()
  if (!session) throw new Error('a browser to kill expected a session with it, there is none')
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const isBrowser = (one: { type: string }) => (one.type === 'browser' ? 0 : 1)
  const ids = processInfo.sort((a, b) => isBrowser(a) - isBrowser(b)).map(one => one.id)
  for (const id of ids) signal(id, 'SIGKILL')
  const until = Date.now() + goneMs
  while (ids.some(id => signal(id, 0))) {
    if (Date.now() > until) throw new Error(`a killed browser expected to be gone within ${goneMs / 1000} s, it is not`)
    await wait(10)
  }
}

/** @returns false when the process does not exist */
function signal(id: number, what: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(id, what)
  } catch {
    return false
  }
}
