/** The proof of completeness, small; and computations that overlook a lie, which it reports. */
import { describe, expect, test } from 'vitest'
import { computeLedger } from '../../../../src/worker/ledger/computeLedger.ts'
import { leastOrders } from './filledSale.ts'
import { openHonestSale } from './honestSale.ts'
import { provePlanted } from './planted.ts'
import { plantKinds } from './plants.ts'

const asked = { transactions: leastOrders, trials: 60, seed: 4, whole: 0 }

describe('a planted transaction', () => {
  test('of every kind is detected, from the slot before it and from the beginning', async () => {
    const { holds, figures } = await provePlanted({ ...asked, whole: 16 })
    expect(figures).toMatchObject({ trials: 60, whole: 16, undetected: 0, crashed: 0, told: [] })
    expect(holds).toBe(true)
    for (const kind of plantKinds) expect(figures.kinds).toMatchObject({ [kind]: 15 })
    expect(figures.refused).toMatchObject({ BALANCE_CHAIN: expect.any(Number) })
    expect(figures.byHash).toBeGreaterThan(0)
  })

  test('that is overlooked is reported, with the command that repeats it', async () => {
    const honest = await openHonestSale(`planted proof ${asked.seed}`, asked.transactions)
    const truth = {
      kind: 'missing' as const,
      said: '',
      removed: new Set<string>(),
      placed: [],
      firstSlot: 0,
      lastSlot: 0,
    }
    const { holds, figures } = await provePlanted({
      ...asked,
      trials: 3,
      judge: (_call, sale, scan, { verify, from }) =>
        computeLedger(
          honest.nodeWith(truth),
          sale,
          { ...scan, lines: honest.linesWith(truth, from?.slot ?? -1) },
          {
            verify,
            ...(from && { from }),
          },
        ),
    })
    expect(holds).toBe(false)
    expect(figures.undetected).toBe(3)
    expect((figures.told as string[]).join('\n')).toMatch(
      /trial 1 was not detected: .* invented after .*; again: npm run presale:proof -- --part planted --seed 4 --transactions \d+ --trial 1/,
    )
  })

  test('is overlooked without the check of signatures', async () => {
    const { figures } = await provePlanted({
      ...asked,
      trials: 160,
      judge: (call, sale, scan, options) => computeLedger(call, sale, scan, { ...options, verify: async () => true }),
    })
    expect(figures.undetected).toBeGreaterThan(0)
    expect((figures.told as string[]).join('\n')).toMatch(/was not detected: bytes of \w+ changed/)
  })

  test('that crashes the computation is not detected', async () => {
    const { holds, figures } = await provePlanted({
      ...asked,
      trials: 1,
      judge: async () => {
        throw new TypeError('no such balance')
      },
    })
    expect(holds).toBe(false)
    expect(figures).toMatchObject({ crashed: 1 })
    expect((figures.told as string[]).join('\n')).toContain('trial 1 crashed (no such balance)')
  })
})
