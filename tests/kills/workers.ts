/** Kills workers: a page survives while its worker is terminated repeatedly in the middle of its work. */
import type { Browser, Page } from 'playwright'
import { seededChance } from './chance.ts'
import { openDocket, type Told } from './docket.ts'
import { planOf, told } from './plan.ts'
import { walletWord } from './visitor.ts'
import { finalBlocks, fund, goOn, type KillWorld } from './world.ts'

const answerMs = 60_000
/** A life waits a minute before it trusts that a blockhash has expired, ms. */
const restMs = 100_000

/**
 * One visitor, one log, many lives of the worker.
 *
 * @param run `round` and the seed name every choice
 * @throws Error when no core comes back
 */
export async function killWorkers(
  { stack, url }: KillWorld,
  browser: Browser,
  { seed, round, kills }: { seed: string; round: number; kills: number },
  tell: Told,
): Promise<void> {
  const words = [seed, 'workers', round]
  const chance = seededChance(...words)
  const context = await browser.newContext()
  try {
    const page = await openKillsPage(await context.newPage(), url)
    const word = walletWord(seed, words.join(' '))
    const address = await page.evaluate(visit => window.kills?.start(visit) ?? '', { words, word })
    fund(stack, address)
    const docket = openDocket()
    for (let kill = 0; kill < kills; kill++) {
      const plan = planOf(chance)
      goOn(stack, chance)
      const testimony = await within(
        `a core after the worker was ended ${told(plan)}`,
        page.evaluate(moment => window.kills?.kill(moment), plan),
      )
      tell(told(plan), await docket.judge(testimony))
    }
    await comeToRest(page, () => stack.solana.chain.advance(finalBlocks))
    const last = await within(
      'the last recording',
      page.evaluate(() => window.kills?.testify()),
    )
    tell('at rest', await docket.close(last, stack, address))
  } finally {
    await context.close()
  }
}

export async function openKillsPage(page: Page, url: string): Promise<Page> {
  page.on('pageerror', error => console.error(`page error: ${error.message}`))
  await page.goto(url)
  await page.waitForFunction(() => window.kills !== undefined)
  return page
}

/** Longest pause between two advances of the chain, ms. */
const longestPauseMs = 4000

/**
 * Advances the chain until every order has ended; uncertain ones have then provably expired. Each advance wakes the page, so
 * the pauses between them grow.
 */
export async function comeToRest(page: Page, advance: () => void): Promise<void> {
  const until = Date.now() + restMs
  for (let pauseMs = 200; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const why = await page.evaluate(() => window.kills?.rest())
    if (why === '') return
    if (Date.now() > until)
      throw new Error(`the visit expected to come to rest within ${restMs / 1000} s, it did not: ${why}`)
    advance()
    await page.waitForTimeout(pauseMs)
  }
}

/** Limits the wait for a page whose core does not come back. */
export async function within<T>(what: string, answer: Promise<T | undefined>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, answerMs, undefined)
  })
  const got = await Promise.race([answer, late])
  clearTimeout(timer)
  if (got === undefined) throw new Error(`${what} expected within ${answerMs / 1000} s, there was none`)
  return got
}
