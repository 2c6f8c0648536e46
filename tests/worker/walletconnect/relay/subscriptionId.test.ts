import { expect, test } from 'vitest'
import { subscriptionId } from '../../../../src/worker/walletconnect/relay/subscriptionId.ts'
import { vectors } from '../vectors.ts'

test.each(vectors.subscriptionId)('the subscription id is $id', ({ topic, clientId, id }) => {
  expect(subscriptionId(topic, clientId)).toBe(id)
})
