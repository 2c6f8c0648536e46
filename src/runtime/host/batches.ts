/** Facts on their way to one page: one batch in flight, its receipt is the credit for the next. */
import type { FactRecord } from '../log/record.ts'
import type { AnyPort } from '../wire.ts'

const flushMs = 16
/**
 * Up to this many awaited steps in `flushMs` are flushed immediately: the outside has answered. Beyond that, facts are
 * batched.
 */
const fewSteps = 8
const largest = 512
const creditMs = 10_000
const mostWaiting = 5000

export type Batches = {
  /** Queues facts; `now` sends at once, because they follow from a person's command. */
  push(facts: readonly FactRecord[], now: boolean): void
  stop(): void
}

/**
 * @param isAwaited whether a page may wait for a fact of this type
 * @param lost called once when the page fell too far behind or stayed silent; the queue is dropped then
 */
export function createBatches(
  port: Pick<AnyPort, 'facts'>,
  isAwaited: (type: string) => boolean,
  lost: () => void,
): Batches {
  let waiting: FactRecord[] = []
  let inFlight = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let counting: ReturnType<typeof setTimeout> | undefined
  let steps = 0
  let isStream = false
  /** whether a person waits for a queued fact */
  let isAwaiting = false

  function count(): void {
    isStream = steps > fewSteps
    steps = 0
    counting = isStream ? setTimeout(count, flushMs) : undefined
  }

  function stop(): void {
    stopped = true
    waiting = []
    clearTimeout(timer)
    clearTimeout(counting)
  }

  function giveUp(): void {
    if (stopped) return
    stop()
    lost()
  }

  async function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (inFlight || stopped || waiting.length === 0) return
    const batch = waiting.splice(0, largest)
    isAwaiting &&= waiting.length > 0
    inFlight = true
    const silence = setTimeout(giveUp, creditMs)
    try {
      await port.facts(batch)
    } catch {
      giveUp()
    } finally {
      clearTimeout(silence)
      inFlight = false
    }
    goOn()
  }

  /** Sends a full batch, or one with a fact that a page waits for; other facts wait for the next flush. */
  function goOn(): void {
    if (inFlight || stopped || waiting.length === 0) return
    if (isAwaiting || waiting.length >= largest) void send()
    else timer ??= setTimeout(() => void send(), flushMs)
  }

  return {
    push(facts, now) {
      if (stopped || facts.length === 0) return
      waiting.push(...facts)
      if (waiting.length > mostWaiting) return giveUp()
      if (now || facts.some(({ type }) => isAwaited(type))) {
        steps += 1
        counting ??= setTimeout(count, flushMs)
        isAwaiting ||= now || (!isStream && steps <= fewSteps)
      }
      goOn()
    },
    stop,
  }
}
