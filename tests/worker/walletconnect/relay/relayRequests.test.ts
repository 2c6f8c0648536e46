import { describe, expect, test } from 'vitest'
import { wcMethods } from '../../../../src/worker/walletconnect/session/methods.ts'
import {
  batchSubscribeFrame,
  proposeFrame,
  publishFrame,
} from '../../../../src/worker/walletconnect/relay/relayRequests.ts'
import { faultOf } from '../refusals.ts'

const topic = 'ab'.repeat(32)
const publication = { topic, message: 'AA==', publishing: wcMethods.wc_sessionPing.request }

describe('a batch of subscriptions', () => {
  test('holds its topics in order', () => {
    expect(JSON.parse(batchSubscribeFrame('1', [topic, 'x']))).toEqual({
      id: '1',
      jsonrpc: '2.0',
      method: 'irn_batchSubscribe',
      params: { topics: [topic, 'x'] },
    })
  })

  test('is refused empty, and beyond the 500 the relay takes', () => {
    expect(batchSubscribeFrame('1', Array(500).fill(topic)).length).toBeGreaterThan(500 * 64)
    expect(faultOf(() => batchSubscribeFrame('1', Array(501).fill(topic))).message).toContain('got 501')
    expect(faultOf(() => batchSubscribeFrame('1', [])).message).toContain('got 0')
  })
})

describe('a publication', () => {
  test('says nothing about methods, chains or transactions to the relay', () => {
    expect(Object.keys(JSON.parse(publishFrame('1', { ...publication, correlationId: 7 })).params)).toEqual([
      'topic',
      'message',
      'ttl',
      'prompt',
      'tag',
      'correlationId',
    ])
  })

  test('goes without an id that a number cannot hold', () => {
    const { params } = JSON.parse(publishFrame('1', { ...publication, correlationId: 2 ** 60 }))
    expect(params).not.toHaveProperty('correlationId')
  })

  test('carries the attestation when the page got one', () => {
    expect(JSON.parse(publishFrame('1', { ...publication, attestation: 'a.b.c' })).params.attestation).toBe('a.b.c')
    const proposal = { pairingTopic: topic, sessionProposal: 'AA==', correlationId: 7 }
    expect(JSON.parse(proposeFrame('1', { ...proposal, attestation: 'a.b.c' })).params.attestation).toBe('a.b.c')
    expect(JSON.parse(proposeFrame('1', proposal)).params).toEqual({ ...proposal, ttl: 300 })
  })
})
