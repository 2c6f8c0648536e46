import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyMemory, remember, remembers } from '../../../src/events/values/memory.ts'
import { memoryOf } from '../../../src/events/values/memoryOf.ts'

test('memory: the newest half is always remembered, and never more than the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 400 }), { maxLength: 600 }), numbers => {
      const memory = emptyMemory()
      const distinct: string[] = []
      for (const number of numbers) {
        const key = `k${number}`
        if (!remembers(memory, key)) distinct.push(key)
        remember(memory, key, 20)
        expect(remembers(memory, key)).toBe(true)
      }
      for (const key of distinct.slice(-10)) expect(remembers(memory, key)).toBe(true)
      expect(Object.keys(memory.newest).length + Object.keys(memory.older).length).toBeLessThan(20)
    }),
  )
})

test('memory: with the last of 200 the older half is evicted', () => {
  const memory = emptyMemory()
  for (let i = 1; i <= 199; i++) remember(memory, `k${i}`, 200)
  expect(remembers(memory, 'k1')).toBe(true)
  remember(memory, 'k200', 200)
  expect([remembers(memory, 'k100'), remembers(memory, 'k101'), remembers(memory, 'k200')]).toEqual([false, true, true])
})

test('memory: repeating one entry evicts no other', () => {
  const memory = emptyMemory()
  remember(memory, 'first', 20)
  for (let i = 0; i < 100; i++) remember(memory, 'again', 20)
  expect(remembers(memory, 'first')).toBe(true)
})

test('memory: names of Object.prototype’s members are remembered only once added', () => {
  const memory = emptyMemory()
  for (const key of ['constructor', 'toString', '__proto__']) expect(remembers(memory, key)).toBe(false)
  remember(memory, 'constructor', 20)
  expect(remembers(memory, 'constructor')).toBe(true)
  expect(memoryOf(['constructor'], [])).toEqual(memory)
})
