/** Inputs of this product that come again after a death: a relay's message, and the answer of a wallet. */
import { createQuarantine } from '../../runtime/core/createQuarantine.ts'
import type { InputData } from './context.ts'
import { promptEnd } from './promptEnds.ts'

export const quarantine = createQuarantine({
  identityOf: ({ type, data }) => (type === 'relay.message' ? [data.topic, data.hash] : undefined),
  isKept: type => type.startsWith('wallet.'),
  asideData({ type, data }) {
    if (type === 'http.asked') return { asked: [Number(data.requestId), 1] }
    if (type === 'rpc.asked') return { asked: askedIn(data as InputData<'rpc.asked'>) }
    if (type !== 'relay.message') return {}
    const { pushId, topic, payload } = data as { pushId?: string; topic?: string; payload?: { id?: string } }
    return { pushId, topic, ...(payload?.id === undefined ? {} : { payloadId: payload.id }) }
  },
  answerInstead: (type, to) => (type.startsWith('wallet.') && to !== undefined ? promptEnd('setAside') : undefined),
})

/** @returns first number and count of each group of calls */
function askedIn({ asks }: InputData<'rpc.asked'>): number[] {
  return asks.flatMap(({ first, calls }) => [first, calls.reduce((sum, { count }) => sum + count, 0)])
}
