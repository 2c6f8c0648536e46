import { describe, expect, test } from 'vitest'
import { decode } from '../../../../src/events/log/decode.ts'
import type { RequestFact } from '../../../../src/events/subjects/session/requestFacts.ts'
import { after, given, refusal } from '../given.ts'

const asked = { requestId: '7', sessionTopic: 's1', method: 'personal_sign', chainId: 'eip155:1', purpose: 'page:t.c1' }
const sent: RequestFact = {
  type: 'request.sent',
  data: { ...asked, expiresAt: 9000, params: '["0x00"]', askAt: 1500 },
}
const failed: RequestFact = { type: 'request.failed', data: { requestId: '7', failure: refusal } }

describe('request', () => {
  test('has its content while it is open, and its outcome afterwards', () => {
    const open = given(sent, { type: 'request.delivered', data: { requestId: '7' } })
    expect(open.request['7']).toEqual({ ...sent.data, sentAt: 1000, phase: 'delivered' })
    const ended = after(open, failed)
    const end = { how: 'failed', failure: refusal }
    expect(ended.request['7']).toEqual({ ...asked, expiresAt: 9000, sentAt: 1000, phase: 'ended', end })
    expect(after(ended, failed)).toBe(ended)
    expect(after(ended, { type: 'request.delivered', data: { requestId: '7' } })).toBe(ended)
  })

  test('restated as ended by an older build loses the turn it waited for', () => {
    const row = { ...asked, expiresAt: 9000, sentAt: 1000, phase: 'ended', end: { how: 'answered' } }
    const line = (request: object) => JSON.stringify({ k: 'r', type: 'request.restated', v: 2, data: { request } })
    expect(decode(line({ ...row, askAt: 1500 }))).toMatchObject({ v: 3, data: { request: row } })
    const { end: _, ...without } = row
    expect(() => decode(line(without))).toThrow('request.restated: request.end')
    const open = { ...asked, expiresAt: 9000, sentAt: 1000, phase: 'sent', askAt: 1500 }
    expect(decode(line(open))).toMatchObject({ v: 3, data: { request: open } })
  })
})
