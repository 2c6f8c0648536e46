/** One run: a story between our client and the official wallet kit, under one fault of the relay. */
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { behaving } from '../stack/relay/switches.ts'
import type { Stack } from '../stack/start.ts'
import type { Dapp } from './dapp.ts'
import type { FaultRun } from './faults.ts'
import { type Cast, type Counterpart, type Plot, within } from './plot.ts'
import { isOfTheDead } from '../worker/tabs/world.ts'

/** Limit of a step without a slowing fault, ms. */
const usualMs = 20_000

export type Played = {
  name: string
  /** step by step; if one failed, it is the last */
  steps: { name: string; ms: number; wrong?: string }[]
  ms: number
}

/** Plays a story without retries: any failure fails it. */
export async function play<W extends Counterpart>(
  run: FaultRun,
  stack: Stack,
  startDapp: () => Promise<Dapp>,
  plot: Plot<W>,
): Promise<Played> {
  const began = performance.now()
  const steps: Played['steps'] = []
  stack.relay.control(behaving)
  const wallet = await plot.wallet(stack)
  const dapp = await startDapp()
  // A JSON frame that is not an object ends the kit's socket for good
  const spared = run.each?.garbage === undefined ? {} : { sparing: await wallet.clientId() }
  let isFirst = true
  const limitMs = run.limitMs ?? usualMs
  const cast: Cast<W> = {
    dapp,
    wallet,
    stack,
    limitMs,
    isOvertaken: run.each !== undefined,
    back: () => run.back && stack.relay.control(run.back),
    async beforeScanning() {
      if (!isFirst || !run.first) return
      isFirst = false
      await dapp.until('what the fault leads to', run.first.until, limitMs)
      stack.relay.control(run.first.heal)
      await dapp.glance()
    },
  }
  const console = quietConsole()
  const attempt = async (name: string, task: () => Promise<void>) => {
    const from = performance.now()
    const wrong = await task().then(
      () => undefined,
      (cause: unknown) => (cause instanceof Error ? cause.message : JSON.stringify(cause)),
    )
    steps.push({ name, ms: performance.now() - from, ...(wrong === undefined ? {} : { wrong }) })
    return wrong === undefined
  }
  try {
    stack.relay.control({ ...run.always, ...run.first?.control })
    let isWell = true
    for (const { name, play } of plot.steps) {
      if (!isWell) break
      if (run.each) stack.relay.control({ ...run.each, ...spared })
      const over = follow(run.after, stack)
      isWell = await attempt(name, () => play(cast))
      over()
    }
    stack.relay.control(behaving)
    if (isWell) await attempt('the log runs again', () => within('the log', usualMs, runsAgain(dapp)))
    if (console.ours.length > 0) steps.push({ name: 'the console', ms: 0, wrong: console.ours.join('; ') })
  } finally {
    stack.relay.control(behaving)
    await dapp.close()
    await within('the wallet’s end', usualMs, wallet.close())
    console.restore()
  }
  return { name: `${plot.name}: ${run.name}`, steps, ms: performance.now() - began }
}

const lookEveryMs = 50

/** Sends the delayed control at its moment. @returns cancels it */
function follow(after: FaultRun['after'], { relay }: Stack): () => void {
  if (!after) return () => undefined
  let later: NodeJS.Timeout | undefined
  const looking = setInterval(() => {
    if (!after.once(relay.state().switches)) return
    clearInterval(looking)
    later = setTimeout(() => relay.control(after.control), after.ms)
  }, lookEveryMs)
  return () => {
    clearInterval(looking)
    clearTimeout(later)
  }
}

/** The kit always logs objects; text comes from our own code and indicates an unexpected error. */
export function quietConsole() {
  const { error } = globalThis.console
  const ours: string[] = []
  globalThis.console.error = (...given: unknown[]) => {
    if (typeof given[0] === 'string' && !isOfTheDead()) ours.push(given.map(String).join(' '))
  }
  return { ours, restore: () => void (globalThis.console.error = error) }
}

/** The recording is complete, the core never failed, and its inputs re-execute to the same facts and effects. */
export async function runsAgain(dapp: Pick<Dapp, 'recording'>): Promise<void> {
  const { records, complete } = await readRecording(await dapp.recording(), sha256Hex)
  if (!complete) throw new Error('the recording expected its trailer, it has none')
  const fault = records.find(({ record }) => record.k === 'f' && record.type === 'core.faulted')
  if (fault) throw new Error(`the core faulted: ${fault.line}`)
  const verdict = reexecute(records, deciders)
  if (!verdict.ok) throw new Error(`re-execution differs at input ${verdict.difference.n}`)
}

export const wrongIn = ({ steps }: Played): string | undefined => {
  const failed = steps.find(({ wrong }) => wrong !== undefined)
  return failed && `${failed.name}: ${failed.wrong}`
}
