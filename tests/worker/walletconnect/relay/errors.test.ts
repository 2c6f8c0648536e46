import { describe, expect, test } from 'vitest'
import { internalErrors, isRejection, sdkErrors, wcError } from '../../../../src/worker/walletconnect/relay/errors.ts'
import { readPeerError } from '../../../../src/worker/walletconnect/relay/peerErrors.ts'
import { vectors } from '../vectors.ts'

describe('errors', () => {
  test('the table of errors between clients is the official one', () => {
    expect(sdkErrors).toEqual(vectors.sdkErrors)
  })

  test('the table of internal errors is the official one', () => {
    expect(internalErrors).toEqual(vectors.internalErrors)
  })

  test('a context stands behind the text', () => {
    expect(wcError('WC_METHOD_UNSUPPORTED', 'wc_pairingFoo').message).toBe('Unsupported wc_ method. wc_pairingFoo')
    expect(wcError('USER_REJECTED')).toEqual({ code: 5000, message: 'User rejected.' })
  })

  test.each([
    ['an object', { code: 5000, message: 'User rejected.', data: 1 }, { code: 5000, message: 'User rejected.' }],
    ['an empty object', {}, { message: '' }],
    ['a message only', { message: 'no' }, { message: 'no' }],
    ['a code only', { code: 4001 }, { code: 4001, message: '' }],
    ['a text', 'User denied', { message: 'User denied' }],
    ['a code in text', { code: '4001', message: '' }, { code: 4001, message: '' }],
    ['a code that is none', { code: 1.5, message: 7 }, { message: '' }],
    ['nothing', null, { message: '' }],
    ['a list', [], { message: '' }],
  ])('a peer that answers %s is understood', (_what, error, read) => {
    expect(readPeerError(error)).toEqual(read)
  })

  test('an endless text is cut', () => {
    expect(readPeerError('x'.repeat(100_000)).message.length).toBe(500)
  })

  test.each([5000, 5001, 5002, 5003, 4001, 12001])('code %i means that the person said no', code => {
    expect(isRejection({ code, message: '' })).toBe(true)
  })

  test.each([
    ['User rejected the request', undefined, true],
    ['Request was cancelled', -32000, true],
    ['user denied transaction', -32603, true],
    ['', undefined, false],
    ['Internal error', -32603, false],
    ['Request cannot be served', undefined, false],
    ['Unauthorized method. denied', 3001, false],
    ['User disconnected.', 6000, false],
  ])('"%s" with code %s means that the person said no: %s', (message, code, rejected) => {
    expect(isRejection(code === undefined ? { message } : { code, message })).toBe(rejected)
  })
})
