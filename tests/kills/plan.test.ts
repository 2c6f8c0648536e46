import { expect, test } from 'vitest'
import { seededChance } from './chance.ts'
import { planOf, told } from './plan.ts'

const plans = (seed: string) => {
  const chance = seededChance(seed, 'workers', 0)
  return Array.from({ length: 300 }, () => planOf(chance))
}

test('kill plan: the same seed plans the same kills, another seed others', () => {
  expect(plans('1')).toEqual(plans('1'))
  expect(plans('1')).not.toEqual(plans('2'))
})

test('kill plan: a few hundred kills cover every kind of moment, also the first before any event', () => {
  const moments = new Set(plans('1').map(({ at, name }) => `${at} ${name}`))
  const calls = ['begin', 'standing', 'attach', 'command', 'pageFacts', 'answer', 'recording']
  const phases = ['accepted', 'awaitingSignature', 'signed', 'sending', 'confirmed', 'finalised']
  expect([...moments].sort()).toEqual(
    [
      ...calls.flatMap(name => [`call ${name}`, `back ${name}`]),
      ...phases.map(name => `phase ${name}`),
      'performed wallet.signTransaction',
    ].sort(),
  )
  expect(plans('1').filter(({ delayMs }) => delayMs === 0).length).toBeGreaterThan(50)
})

test('kill plan: a plan has a description', () => {
  expect(told({ at: 'call', name: 'answer', nth: 2, delayMs: 3 })).toBe('3 ms after call 2 of answer was sent')
  expect(told({ at: 'phase', name: 'signed', nth: 1, delayMs: 0 })).toBe('0 ms after an order was signed')
})
