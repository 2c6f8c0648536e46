/** The proof of payouts, small; and a payer that leaves out a batch, which it finds. */
import { expect, test } from 'vitest'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import { provePayouts } from './payouts.ts'

const asked = { recipients: 60, kills: 6, lanes: 2, seed: 2 }

test('a payout that is killed at random lines pays each recipient once', async () => {
  const { holds, figures } = await provePayouts(asked)
  expect(figures).toMatchObject({ recipients: 60, differ: 0 })
  expect(figures.kills).toBeGreaterThan(2)
  expect(holds).toBe(true)
})

test('a payout that is killed at every line pays each recipient once', async () => {
  const { holds, figures } = await provePayouts({ ...asked, recipients: 28, kills: 10_000, everyLine: true })
  expect(figures).toMatchObject({ recipients: 28, differ: 0 })
  expect(figures.kills).toBeGreaterThan(8)
  expect(holds).toBe(true)
})

test('a payer that says it is done with a batch unpaid is found', async () => {
  const { holds, figures } = await provePayouts({
    ...asked,
    kills: 0,
    pay: ({ hashed, ...paying }, key, options) => {
      const plan = { ...hashed.plan, batches: hashed.plan.batches.slice(0, -1) }
      return payPlan({ ...paying, hashed: { ...hashed, plan } }, key, options)
    },
  })
  expect(holds).toBe(false)
  expect(figures.differ).toBeGreaterThan(0)
})
