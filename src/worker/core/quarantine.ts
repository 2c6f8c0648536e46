/** Inputs of this product that come again after a death: a relay's message, and the answer of a wallet. */
import { createQuarantine, setAsideMessage } from '../../runtime/core/createQuarantine.ts'

export const quarantine = createQuarantine({
  identityOf: ({ type, data }) => (type === 'relay.message' ? [data.topic, data.hash] : undefined),
  isKept: type => type.startsWith('wallet.'),
  asideData({ type, data }) {
    if (type !== 'relay.message') return {}
    const { pushId, topic, payload } = data as { pushId?: string; topic?: string; payload?: { id?: string } }
    return { pushId, topic, ...(payload?.id === undefined ? {} : { payloadId: payload.id }) }
  },
  // The wallet did answer: whatever it signed may be sent, so nothing but the chain can say how that ends
  answerInstead: (type, to) =>
    type.startsWith('wallet.') && to !== undefined
      ? { type: 'wallet.failed', data: { failure: { code: 'wallet_gone', message: setAsideMessage } } }
      : undefined,
})
export const { keyOf, suspectOf } = quarantine
