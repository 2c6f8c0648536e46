/** Messages fetched instead of pushed. */
import { readFetched } from '../../../src/worker/walletconnect/relay/fetched.ts'
import { parseRelayFrame } from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { corpus } from '../corpus.ts'
import { deliveredIn, rpcOf } from '../grammars/rpc.ts'
import { changedJson } from '../hostileJson.ts'
import { member } from '../jsonTree.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const delivered = corpus.pushes.map(push => JSON.stringify(JSON.parse(push).params.data))

function answer(random: Random): string {
  const messages = Array.from({ length: random.below(4) }, () => random.pick(delivered))
  const some = messages.map(message => (random.oneIn(4) ? changedJson(random, message) : message))
  return `{"id":"1795226155816527104","jsonrpc":"2.0","result":{"messages":[${some}],"hasMore":${random.oneIn(2)}}}`
}

export const fetched: Reader = {
  name: 'fetched',
  share: 20,
  make: random => (random.oneIn(3) ? changedJson(random, answer(random)) : answer(random)),
  judge(input, read) {
    const { says } = rpcOf(input)
    const messages = says?.kind === 'result' ? member(says.result, 'messages') : undefined
    const frame = read(() => parseRelayFrame(input))
    if ('fault' in frame || frame.value.kind !== 'result') return refused
    const { result } = frame.value
    const page = read(() => readFetched(result))
    if ('fault' in page) return wrong(false, 'an answer to a fetch ended in a fault')
    if ((page.value !== undefined) !== (messages?.kind === 'array'))
      return wrong(
        page.value !== undefined,
        'something else was taken for fetched messages, or they for something else',
      )
    if (!page.value || messages?.kind !== 'array') return refused
    const wanted = messages.items.flatMap(item => deliveredIn(item) ?? [])
    wanted.sort((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0))
    if (JSON.stringify(wanted) !== JSON.stringify(page.value.messages.map(inOrder)))
      return wrong(true, 'fetched messages were read as others, or in another order')
    if (page.value.malformed.length !== messages.items.length - wanted.length)
      return wrong(true, 'malformed messages were not counted')
    return wanted.length > 0 ? taken : refused
  },
}

function inOrder({ topic, message, publishedAt, tag, attestation }: Record<string, unknown>) {
  return { topic, message, publishedAt, tag, attestation }
}
