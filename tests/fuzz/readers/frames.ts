/** Frames from the relay, and payloads from wallets. */
import { inputDefinitions } from '../../../src/events/input.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import { answerTrue, parseRelayFrame } from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { readIncoming } from '../../../src/worker/walletconnect/relay/incoming.ts'
import { corpus } from '../corpus.ts'
import { changedText } from '../changedText.ts'
import { payloadText, pushText } from '../generated.ts'
import { frameOf, rpcOf } from '../grammars/rpc.ts'
import { plainOf } from '../grammars/namespaces.ts'
import { payloadOf } from '../grammars/payload.ts'
import { unmet } from '../grammars/wanted.ts'
import { changedJson, hostileTree } from '../hostileJson.ts'
import { print } from '../jsonTree.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

function madeFrom(random: Random, texts: readonly string[], generated: () => string): string {
  const text = random.pick(texts)
  const way = random.below(10)
  if (way < 4) return changedJson(random, text)
  if (way < 6) return changedText(random, text, random.pick(texts))
  if (way < 9) return random.oneIn(4) ? changedJson(random, generated()) : generated()
  return print(hostileTree(random, 5))
}

export const frames: Reader = {
  name: 'frames',
  share: 415,
  make: random =>
    madeFrom(random, random.oneIn(3) ? corpus.frames : corpus.pushes, () =>
      pushText(random, random.pick(['', 'AA=='])),
    ),
  judge(input, read) {
    const { says, isPlain, toAcknowledge } = frameOf(input)
    const found = read(() => parseRelayFrame(input))
    if ('fault' in found) {
      if (says && isPlain) return wrong(false, `a frame in the grammar was refused: ${found.fault.message}`)
      const { echo } = found.fault.facts ?? {}
      if (echo !== undefined && echo !== toAcknowledge)
        return wrong(false, 'a refused push is acknowledged by another id')
      return refused
    }
    if (!says) return wrong(true, 'a frame outside the grammar was accepted')
    // The error's own message is read leniently
    const wanted = says.kind === 'error' || says.kind === 'result' ? { kind: says.kind, id: says.id } : without(says)
    const differs = unmet(wanted, found.value)
    if (differs !== undefined) return wrong(true, `a frame was read as something else: ${differs}`)
    if (found.value.kind === 'push' && says.kind === 'push') {
      const answer = answerTrue(found.value.echo)
      if (answer !== `{"id":${says.echo},"jsonrpc":"2.0","result":true}`)
        return wrong(true, 'a push is acknowledged by another id than it has')
    }
    return taken
  },
}

function without({ ...says }: object): object {
  Reflect.deleteProperty(says, 'params')
  return says
}

const envelopeFields = { pushId: '1', topic: 'a'.repeat(64), hash: 'b'.repeat(64), publishedAt: 0, tag: 0 }

/** A page's own request stores its answer literally. @returns the failure of that */
function pageWrong(input: string): string | undefined {
  const { payload } = readIncoming(input, { isOfPage: () => true })
  if (payload.answer === undefined) return undefined
  const { says } = rpcOf(input)
  const given = says?.kind === 'result' ? says.result : says?.kind === 'error' ? says.error : undefined
  if (given === undefined) return 'an answer to a page was made of what is none'
  const kept: unknown = JSON.parse(payload.answer)
  return JSON.stringify(kept) === JSON.stringify(plainOf(given)) ? undefined : 'an answer to a page is not as it came'
}

export const payloads: Reader = {
  name: 'payloads',
  share: 345,
  make: random => madeFrom(random, corpus.payloads, () => payloadText(random)),
  judge(input, read) {
    const { says, isPlain } = payloadOf(input)
    const found = read(() => readIncoming(input))
    if ('fault' in found) return wrong(false, 'a payload ended in a fault, not in an unreadable message')
    const asked = pageWrong(input)
    if (asked !== undefined) return wrong(true, asked)
    const { payload } = found.value
    const unfit = misfit(inputDefinitions['relay.message'], { ...envelopeFields, payload })
    if (unfit !== undefined) return wrong(true, `a payload was read as what no core can take: ${unfit}`)
    if (payload.kind === 'unopened') {
      if (payload.error?.message === undefined || !/\S+ \S+/.test(payload.error.message))
        return wrong(false, 'an unreadable payload has no sentence')
      return isPlain && says?.kind !== 'unopened'
        ? wrong(false, 'a payload in the grammar counts as unreadable')
        : refused
    }
    if (says?.kind === 'unopened') return wrong(true, 'a payload outside the grammar was accepted')
    const isMalformed = payload.error !== undefined && payload.kind !== 'error'
    if (isMalformed && says !== undefined && !('error' in says))
      return isPlain ? wrong(false, 'a payload in the grammar counts as malformed') : refused
    const differs = unmet(says, payload)
    return differs === undefined ? taken : wrong(true, `a payload was read as something else: ${differs}`)
  },
}
