/** States of claims that one plan has, or several. */
import { expect, test } from 'vitest'
import { claimKey, claimStates, type PaidBatches } from '../../../../scripts/presale/books/claimStates.ts'
import type { Plan } from '../../../../src/worker/services/planFile.ts'

const planOf = (...batches: string[][]): Plan => {
  const rows = (claims: string[]) => claims.map(claim => ({ owner: 'owner', to: 'account', units: '1', of: [claim] }))
  return { kind: 'refunds', batches: batches.map(claims => ({ asset: 'SOL', rows: rows(claims) })) } as unknown as Plan
}
const first = planOf(['1:refund', '2:refund', '3:refund'], ['4:refund'])

test.each<
  [string, Plan | undefined, PaidBatches, Record<string, [state: string, plan: string, payment: string | null]>]
>([
  [
    'paid by the first plan, left out by its payment, and planned',
    undefined,
    new Map([['a 0', { signature: 'A', leftOut: [1] }]]),
    { '1:refund': ['paid', 'a', 'A'], '2:refund': ['left_out', 'a', 'A'], '4:refund': ['planned', 'a', null] },
  ],
  [
    'left out and planned again: those of the later plan',
    planOf(['2:refund']),
    new Map([['a 0', { signature: 'A', leftOut: [1, 2] }]]),
    { '2:refund': ['planned', 'b', null], '3:refund': ['left_out', 'a', 'A'] },
  ],
  [
    'in two plans at once: those of the first one',
    planOf(['1:refund', '4:refund']),
    new Map([['a 0', { signature: 'A', leftOut: [] }]]),
    { '1:refund': ['paid', 'a', 'A'], '4:refund': ['planned', 'a', null] },
  ],
  [
    'paid by a later plan: paid',
    planOf(['1:refund', '4:refund']),
    new Map([['b 0', { signature: 'B', leftOut: [0] }]]),
    { '1:refund': ['planned', 'a', null], '4:refund': ['paid', 'b', 'B'] },
  ],
])('claims are told as %s', (_name, second, paid, expected) => {
  const plans = [
    { hash: 'unknown', plan: undefined },
    { hash: 'a', plan: first },
    { hash: 'b', plan: second },
  ]
  const states = claimStates(plans, paid)
  for (const [claim, told] of Object.entries(expected)) {
    const { state, plan, payment } = states.get(claimKey('refunds', claim)) ?? {}
    expect([claim, state, plan, payment]).toEqual([claim, ...told])
  }
  expect(states.has(claimKey('tokens', '1:refund'))).toBe(false)
})
