/**
 * One life of the core in its own Node process, on a disk in a file: the real worker side, and a visitor with a wallet. Every
 * line is printed before the next action. `nodes.ts` bundles, runs and kills it.
 *
 *   node nodeLife.mjs '{"file":…}'
 */
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Model } from '../../src/events/app.ts'
import type { PageRecord } from '../../src/runtime/log/record.ts'
import { openOrder } from '../../src/events/subjects/order/order.ts'
import type { CoreConfig, PageAnswer, PageEffect, PageHello, PagePort } from '../../src/events/wire.ts'
import { signerFromWord, signTransaction } from '../stack/wallet/signer.ts'
import { createLocks } from '../worker/tabs/locks.ts'
import { openPage, type TestPage } from '../worker/tabs/page.ts'
import { type Chance, seededChance } from './chance.ts'
import { openFileDisk } from './fileDisk.ts'
import { orderKeyIn } from './orderKeyIn.ts'
import type { Seen } from './seen.ts'
import { nextCommand } from './visitor.ts'

/** `atRest`: press nothing, print the log once no order is open. */
export type LifeOptions = {
  file: string
  words: (string | number)[]
  word: string
  tab: string
  config: CoreConfig
  atRest: boolean
}

/** One line of its output. `before`: number of observations when the recording was requested. */
export type LifeLine = { began: true } | { seen: Seen } | { recording: string; before: number }

const hasteMs = 8
const thinkMs = 60
/** Limit of presses in flight: core, disk and visitor share one thread, and more would starve the disk. */
const mostOpen = 4

let count = 0
function see(seen: Seen): void {
  count += 1
  print({ seen })
}

function print(line: LifeLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}

/** Joins a second, passive page for this life's own statement. */
async function look({ core }: TestPage): Promise<void> {
  const hello: PageHello = {
    tab: 't-looking',
    language: 'en',
    timeZone: 'UTC',
    visible: false,
    online: true,
    asking: [],
    answered: [],
  }
  const nothing = async () => undefined
  const port: PagePort = { facts: nothing, perform: nothing, detached: nothing, restart: nothing, otherBuild: nothing }
  see({ saw: 'attached', ...(await core.attach(hello, port)) })
}

/** Carries out the core's page effects like a person in a hurry. */
async function perform(page: TestPage, effect: PageEffect, { word, tab }: LifeOptions, chance: Chance): Promise<void> {
  see({ saw: 'performed', effectId: effect.id, type: effect.type })
  const signer = signerFromWord(word)
  let answer: PageAnswer
  if (effect.type === 'wallet.connect') {
    answer = { type: 'wallet.connected', accounts: [signer.address], features: ['signTransaction'] }
  } else if (effect.type === 'wallet.signTransaction') {
    const bytes = effect.bytes ?? new Uint8Array()
    see({ saw: 'prompted', orderKey: orderKeyIn(bytes) })
    await wait(chance.below(thinkMs))
    answer = { type: 'wallet.signed', bytes: signTransaction(bytes, [signer, signer]).bytes }
  } else return
  const given = { effectId: effect.id, type: answer.type }
  see({ saw: 'offered', ...given })
  await page.core.answer(effect.id, answer, tab)
  see({ saw: 'answer', ...given })
}

async function main(options: LifeOptions): Promise<void> {
  const { file, words, tab, config, atRest } = options
  const chance = seededChance(...words)
  print({ began: true })
  await openFileDisk(file)
  const page = await openPage({ config, locks: createLocks(), tab })
  await look(page)
  visit(page, options, chance)
  if (atRest) await page.until('rest', isAtRest, 40_000)
  const before = count
  print({ recording: await page.core.recording([]), before })
}

/** A refused command was not acknowledged: a slow disk causes that. */
function refused(problem: unknown): void {
  console.error(`refused: ${String(problem)}`)
}

function isAtRest(model: Model): boolean {
  return openOrder(model) === undefined
}

/** One action after another, a few ms apart. */
function visit(page: TestPage, options: LifeOptions, chance: Chance): void {
  const { tab, atRest } = options
  let performed = 0
  let p = 0
  let c = 0
  let open = 0
  let unshipped: PageRecord[] = []
  let shipping = false

  async function ship(): Promise<void> {
    if (shipping || unshipped.length === 0) return
    shipping = true
    const batch = unshipped
    unshipped = []
    await page.core.pageFacts(batch)
    for (const { p: number, type } of batch) see({ saw: 'pageFact', tab, p: number, type })
    shipping = false
  }

  function dispatch(): void {
    p += 1
    const { life } = page.model().core
    const after = page.facts.at(-1)?.seq ?? 0
    const data = { theme: chance.below(2) === 0 ? 'light' : 'dark' }
    unshipped.push({ k: 'p', p, life, after, tab, at: Date.now(), type: 'tab.themed', v: 1, data })
  }

  async function press(): Promise<void> {
    const command = nextCommand(page.model(), chance, 'w-node')
    c += 1
    const ref = `${tab}.c${c}`
    await page.core.command(command, ref, tab)
    see({ saw: 'command', ref, type: command.type })
  }

  function hurry(): void {
    for (const effect of page.effects.slice(performed)) perform(page, effect, options, chance).catch(refused)
    performed = page.effects.length
    if (!atRest && chance.below(2) === 0) dispatch()
    else if (!atRest && open < mostOpen) {
      open += 1
      press()
        .catch(refused)
        .finally(() => (open -= 1))
    }
    ship().catch(refused)
    setTimeout(hurry, 1 + chance.below(hasteMs))
  }
  hurry()
}

await main(JSON.parse(process.argv[2] ?? '') as LifeOptions)
