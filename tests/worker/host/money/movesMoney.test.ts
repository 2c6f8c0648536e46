import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../../src/events/emptyModel.ts'
import type { EffectType } from '../../../../src/events/effect.ts'
import { movesMoney } from '../../../../src/worker/host/money/movesMoney.ts'

const effect = (type: EffectType, data: Record<string, unknown> = {}) => ({ id: 'e1.1.0', type, data })

/** An outgoing message for a request of this method, or with another purpose. */
function sending(method: string | undefined, purpose = 'request:7') {
  const model = emptyCoreModel()
  model.outbox['c1'] = { callId: 'c1', purpose } as never
  if (method !== undefined) model.request['7'] = { requestId: '7', method } as never
  return model
}

describe('an effect that waits for a commit', () => {
  test.each<[EffectType, boolean]>([
    ['wallet.signTransaction', true],
    ['wallet.signAndSendTransaction', true],
    ['chain.submit', true],
    ['relay.acknowledge', false],
    ['relay.fetch', false],
    ['vault.forget', false],
    ['bytes.forget', false],
    ['auth.askContract', false],
  ])('%s may move money: %s', (type, moves) => {
    expect(movesMoney(emptyCoreModel(), effect(type))).toBe(moves)
  })

  test.each<[EffectType]>([['relay.publish'], ['link.send']])('%s moves money when its request does', type => {
    const asked = (model: ReturnType<typeof sending>) => movesMoney(model, effect(type, { callId: 'c1' }))
    expect(asked(sending('eth_sendTransaction'))).toBe(true)
    expect(asked(sending('eth_signTypedData_v4'))).toBe(true)
    expect(asked(sending('personal_sign'))).toBe(false)
    expect(asked(sending(undefined, 'auth:7'))).toBe(false)
    expect(movesMoney(emptyCoreModel(), effect(type, { callId: 'c1' }))).toBe(false)
  })

  test('of an unknown type counts as one that moves money', () => {
    expect(movesMoney(emptyCoreModel(), effect('chain.watch'))).toBe(true)
  })
})
