/** The proof of the two ledgers, small; and a ledger with one byte changed, which it finds. */
import { describe, expect, test } from 'vitest'
import { presaleCommand } from '../../../../../scripts/presale/command.ts'
import { leastOrders } from '../filledSale.ts'
import { proveLedger } from './ledger.ts'

const asked = { orders: leastOrders, seed: 3, page: false }

describe('two ledgers of a sale', () => {
  test('are the same bytes', async () => {
    const { holds, figures } = await proveLedger(asked)
    expect(holds).toBe(true)
    expect(figures).toMatchObject({ differences: 0, tool: expect.anything(), plain: expect.anything() })
    expect(figures.rows).toBeGreaterThanOrEqual(leastOrders)
  })

  test('of which the tool takes as much processor time as it may, or more, do not hold', async () => {
    const { holds, lines } = await proveLedger({ ...asked, mostCpuSeconds: 0 })
    expect(holds).toBe(false)
    expect(lines.join('\n')).toMatch(/the tool took [\d.]+ s, expected less than 0/)
  })

  test('that differ in one digit are told with the row', async () => {
    const { holds, lines } = await proveLedger({
      ...asked,
      command: (args, io) =>
        presaleCommand(args, { ...io, out: { write: text => io.out.write(text.replace('"i":7,', '"i":8,')) } }),
    })
    expect(holds).toBe(false)
    expect(lines.join('\n')).toMatch(/the tool’s ledger differs: row 7 expected \{"i":7,.*, got \{"i":8,/)
  })

  test('of which one is refused hold nothing', async () => {
    const { holds, lines } = await proveLedger({
      ...asked,
      command: async (_args, io) => {
        io.err.write('a transaction is missing\n')
        return 1
      },
    })
    expect(holds).toBe(false)
    expect(lines.join('\n')).toContain('the command ended with 1: a transaction is missing')
  })
})
