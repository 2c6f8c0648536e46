/** Ids of both layers: generated, compared, echoed. */
import { isStale, relayId, wcId } from '../../../src/worker/walletconnect/relay/ids.ts'
import { answerTrue, parsePayload, wcRequest, relayRequest } from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { corpus } from '../corpus.ts'
import { changedText } from '../changedText.ts'
import { rpcOf } from '../grammars/rpc.ts'
import { type Read, type Reader, refused, taken, wrong } from '../reader.ts'

const latest = 9_007_199_254_739

/** An input is two ids separated by a blank. */
export const ids: Reader = {
  name: 'ids',
  share: 90,
  make(random) {
    const near = () => {
      const id = random.oneIn(4)
        ? String((BigInt(random.below(2 ** 31)) << BigInt(random.below(70))) + BigInt(random.below(5000)))
        : random.pick(corpus.ids)
      return random.oneIn(2) ? id : changedText(random, id, '0').replaceAll(' ', '')
    }
    return `${near()} ${near()}`
  },
  judge(input, read) {
    const [first = '', second = ''] = input.split(' ')
    const isNumber = (id: string) => /^\d{1,40}$/.test(id)
    const older = isNumber(first) && isNumber(second) && moment(first) < moment(second)
    if (isStale(first, second) !== older) return wrong(true, 'two ids were put in another order than their clocks have')
    const made = madeFrom(Number(first), Number(second), read)
    if (made) return made
    const text = `{"id":${first},"jsonrpc":"2.0","result":${isNumber(second) ? second : 'null'}}`
    const { says } = rpcOf(text)
    const found = read(() => parsePayload(text))
    if ('fault' in found)
      return says?.id !== undefined && /^\d{1,40}$/.test(first) ? wrong(false, 'an id was refused') : refused
    if (!says || says.id !== found.value.id) return wrong(true, 'an id was read as another one')
    const echo = read(() => answerTrue(first))
    if ('fault' in echo) return refused
    return echo.value === `{"id":${first},"jsonrpc":"2.0","result":true}`
      ? taken
      : wrong(true, 'an id was not echoed as it came')
  },
}

/** Ids contain their sender's clock before the last three digits. */
const moment = (id: string) => BigInt(id.length > 3 ? id.slice(0, -3) : '0')

function madeFrom(nowMs: number, draw: number, read: Read) {
  const payload = read(() => wcId(nowMs, draw))
  const isMoment = Number.isInteger(nowMs) && nowMs >= 0 && nowMs <= latest
  const isDraw = (draws: number) => Number.isInteger(draw) && draw >= 0 && draw < draws
  if ('value' in payload !== (isMoment && isDraw(1000))) return wrong(true, 'a payload id was made of what makes none')
  if ('value' in payload) {
    if (
      !Number.isSafeInteger(payload.value) ||
      Math.floor(payload.value / 1000) !== nowMs ||
      payload.value % 1000 !== draw
    )
      return wrong(true, 'a payload id lost its moment or its draw')
    if (!wcRequest(payload.value, 'wc_sessionPing', {}).startsWith(`{"id":${payload.value},`))
      return wrong(true, 'a payload id was written as another one')
  }
  const relay = read(() => relayId(nowMs, draw))
  if ('value' in relay !== (isMoment && isDraw(1_000_000))) return wrong(true, 'a relay id was made of what makes none')
  if ('value' in relay) {
    if (BigInt(relay.value) !== BigInt(nowMs) * 1_000_000n + BigInt(draw))
      return wrong(true, 'a relay id lost its moment')
    // A time of few digits gives an id with a leading zero, which is never sent
    const sent = read(() => relayRequest(relay.value, 'irn_subscribe', {}))
    if ('value' in sent && !sent.value.startsWith(`{"id":"${relay.value}",`))
      return wrong(true, 'a relay id was written as another one')
  }
  return undefined
}
