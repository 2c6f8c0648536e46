import { describe, expect, test } from 'vitest'
import { idIn, messagePurposeIn, referenceText } from '../../../src/events/values/reference.ts'
import { timerOf } from '../../../src/runtime/core/timerOf.ts'

describe('reference', () => {
  test('as text is its kind and its id', () => {
    expect(referenceText({ kind: 'order', id: 'order-1.2' })).toBe('order:order-1.2')
  })

  test.each([
    ['order:order-1', 'order-1'],
    ['order:a:b', 'a:b'],
    ['order:', ''],
    ['orders:order-1', undefined],
    ['page:order:1', undefined],
    ['order', undefined],
    [undefined, undefined],
  ])('of an order in %s has the id %s', (text, id) => {
    expect(idIn('order', text)).toBe(id)
  })

  test('of a message is read with its kind; of an unknown kind it is undefined', () => {
    expect(messagePurposeIn('delete:topic-1')).toEqual({ kind: 'delete', id: 'topic-1' })
    expect(messagePurposeIn('other:topic-1')).toBeUndefined()
    expect(messagePurposeIn(undefined)).toBeUndefined()
  })
})

test.each([
  ['watch:order-1', { family: 'watch', id: 'order-1' }],
  ['pairing:a:b', { family: 'pairing', id: 'a:b' }],
  ['owed', { family: 'owed', id: '' }],
])('timer: %s belongs to its family', (timerId, of) => {
  expect(timerOf(timerId)).toEqual(of)
})
