/** The proof of changed transactions, small; and checks that take or refuse one wrongly, which it finds. */
import { expect, test } from 'vitest'
import { isAsked, isSent } from '../../../../hostile/disguises.ts'
import { proveMutations } from './mutations.ts'

const asked = { seed: 4, mutations: 400 }

test('mutations: nothing is accepted or refused wrongly', async () => {
  const { holds, figures } = await proveMutations(asked)
  expect(figures).toMatchObject({ mutations: 400, falseAccepts: 0, falseRefusals: 0, told: [] })
  expect(figures.orders).toBeGreaterThan(0)
  expect(holds).toBe(true)
})

test('mutations: a check that takes all is told with the command that repeats the case', async () => {
  const { holds, figures, lines } = await proveMutations({ ...asked, checks: { asked: () => true, sent: isSent } })
  expect(holds).toBe(false)
  expect(figures.falseAccepts).toBeGreaterThan(0)
  const [, number] = /case (\d+) .*--part mutations --seed 4 --case \1$/m.exec(lines.join('\n')) ?? []
  const alone = await proveMutations({ ...asked, only: Number(number), checks: { asked: () => true, sent: isSent } })
  expect(alone.figures).toMatchObject({ mutations: 1, falseAccepts: 1 })
})

test('mutations: a check that refuses all is told, too', async () => {
  const { holds, figures } = await proveMutations({ ...asked, checks: { asked: isAsked, sent: async () => false } })
  expect(holds).toBe(false)
  expect(figures.falseRefusals).toBeGreaterThan(0)
})
