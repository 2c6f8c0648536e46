/**
 * The world of a recording: it answers a verb's calls, waits and keys as they were answered.
 *
 * 1. A step answers the request with its number and its content. The ends of calls and waits come in the order of the recording, each in a task of
 *    its own, as the recorder delivered them.
 * 2. A request that the recording does not have is a difference, and so is a step that the verb does not ask for.
 * 3. A request without an answer at the end of a cut recording was on its way when the process was killed: there the replay ends.
 */
import { decodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import { isValid } from '../verify.ts'
import type { PresaleIo } from '../verb.ts'
import { type Difference, differenceAt } from './difference.ts'
import { askedText, sha256Hex, type StepLine } from './format.ts'
import { keyOf, type Step } from './readRun.ts'
import { answered, requestOf } from './record.ts'

export type World = {
  io: Required<Pick<PresaleIo, 'call' | 'wait' | 'random' | 'key'>>
  /** settles at the first difference, or where the recording is cut */
  ended: Promise<Difference | 'cut'>
  /** the first step that was not asked for */
  left(): Step | undefined
  close(): void
}

/** Patience with a verb that computes, ms. */
const patience = 2_000

/** `isCut`: requests without an answer are no difference. */
export type Recorded = { steps: readonly Step[]; isCut: boolean }

/** @param err standard error of the replayed verb */
export function openWorld({ steps, isCut }: Recorded, err: PresaleIo['err']): World {
  const open = new Set(steps)
  let tell: (how: Difference | 'cut') => void = () => undefined
  const ended = new Promise<Difference | 'cut'>(resolve => (tell = resolve))
  let [isOver, waits] = [false, 0]
  const end = (how: Difference | 'cut') => {
    close()
    tell(how)
  }
  const close = () => {
    isOver = true
    late.close()
  }
  const left = () => open.values().next().value
  const differ = (got: string) => {
    const step = left()
    const at = step?.at ?? (steps.at(-1)?.at ?? 1) + 1
    if (!isOver) end(differenceAt(at, step ? askedText(step.line()) : 'no further request', got))
  }

  const isLate = ({ kind }: Step) => kind === 'call' || kind === 'failure' || kind === 'wait'
  const late = inOrder(
    steps.filter(isLate),
    step => open.delete(step),
    got => (got === undefined ? isCut && end('cut') : differ(got)),
  )
  const request = async (asked: StepLine) => {
    if (!late.has(asked) && !isCut) differ(askedText(asked))
    return late.answer(asked)
  }

  const instant = new Map<string, Step[]>()
  for (const step of steps.filter(one => !isLate(one))) {
    const same = instant.get(step.key)
    if (same) same.push(step)
    else instant.set(step.key, [step])
  }
  /** @returns the step of a request that is answered at once */
  const taken = (asked: StepLine): Step => {
    const step = isOver ? undefined : instant.get(keyOf(asked))?.shift()
    if (step) {
      open.delete(step)
      return step
    }
    if (isCut && open.size === 0 && !isOver) end('cut')
    else differ(askedText(asked))
    throw refused('the replay has ended')
  }
  const sign = (address: string, message: Uint8Array) => {
    const step = taken({ kind: 'sign', address, message: sha256Hex(message), signature: '' })
    const line = step.line()
    const signature = new Uint8Array(Buffer.from(line.kind === 'sign' ? line.signature : '', 'base64'))
    if (!isValid(signature, message, decodeBase58(address) ?? new Uint8Array()))
      end(differenceAt(step.at, askedText(line), 'a signature that this key did not make'))
    return signature
  }
  return {
    ended,
    left,
    close,
    io: {
      async call(url, init) {
        const line = await request({ kind: 'failure', ...requestOf(url, init) })
        if (line.kind !== 'call') throw new TypeError('fetch failed')
        return answered(line.status, line.answer, line.retryAfter)
      },
      async wait(ms) {
        waits += 1
        await request({ kind: 'wait', id: waits, ms })
      },
      random(below) {
        const line = taken({ kind: 'random', below, value: 0 }).line()
        return line.kind === 'random' ? line.value : 0
      },
      key(option) {
        const line = taken({ kind: 'refusedKey', option, message: '' }).line()
        if (line.kind !== 'key') throw refused(line.kind === 'refusedKey' ? line.message : '')
        if (line.warning !== '') err.write(line.warning)
        return { address: line.address, sign: message => sign(line.address, message) }
      },
    },
  }
}

/**
 * Answers requests in the order of the steps, until it is closed.
 *
 * @param onStuck receives the requests that are open although another one is next; undefined after the last step
 */
function inOrder(steps: readonly Step[], onAnswer: (step: Step) => void, onStuck: (open: string | undefined) => void) {
  const counts = new Map<string, number>()
  for (const { key } of steps) counts.set(key, (counts.get(key) ?? 0) + 1)
  const waiting = new Map<string, { text: string; answer: (line: StepLine) => void }[]>()
  let [next, isPlanned, isClosed] = [0, false, false]
  let timer: NodeJS.Timeout | undefined
  const openTexts = () => [...waiting.values()].flatMap(list => list.map(({ text }) => text))
  const plan = () => {
    if (!isPlanned && !isClosed) setImmediate(deliver)
    isPlanned = true
  }
  const deliver = () => {
    isPlanned = false
    clearTimeout(timer)
    if (isClosed) return
    const step = steps[next]
    const asked = step && waiting.get(step.key)?.shift()
    if (step && asked) {
      next += 1
      onAnswer(step)
      asked.answer(step.line())
      plan()
    } else if (!step) {
      if (openTexts().length > 0) onStuck(undefined)
    } else {
      const seen = next
      // A busy thread lets the verb go on first
      const look = () =>
        setImmediate(() => next === seen && !isClosed && onStuck(openTexts().join(' and ') || 'nothing'))
      timer = setTimeout(look, patience)
    }
  }
  return {
    /** whether a step is left for the request */
    has(asked: StepLine): boolean {
      return (counts.get(keyOf(asked)) ?? 0) > 0
    },
    answer(asked: StepLine): Promise<StepLine> {
      const key = keyOf(asked)
      counts.set(key, (counts.get(key) ?? 0) - 1)
      return new Promise(answer => {
        const list = waiting.get(key) ?? []
        waiting.set(key, [...list, { text: askedText(asked), answer }])
        plan()
      })
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
