/** `npm run presale:proof`: its choices, its output and its refusals. */
import { describe, expect, test } from 'vitest'
import { proofCommand } from './command.ts'
import { leastOrders } from './filledSale.ts'

async function run(...args: string[]) {
  const told = { out: '', err: '' }
  const code = await proofCommand(args, {
    out: { write: text => (told.out += text) },
    err: { write: text => (told.err += text) },
  })
  return { code, ...told }
}

describe('the proofs', () => {
  test('run one by one or all, and print their counts as one line of JSON', async () => {
    const least = String(leastOrders)
    const sizes = [
      '--steps',
      '500',
      '--orders',
      least,
      '--page',
      '0',
      '--recipients',
      '24',
      '--kills',
      '2',
      '--lanes',
      '2',
      '--schedules',
      '1',
      '--mutations',
      '50',
    ]
    const { code, out } = await run(...sizes, '--transactions', least, '--trials', '8', '--whole', '0', '--json')
    expect(code).toBe(0)
    expect(out.endsWith('\n')).toBe(true)
    expect(out.trimEnd()).not.toContain('\n')
    expect(JSON.parse(out)).toMatchObject({
      holds: true,
      proofs: [
        { proof: 'steps', number: 1, steps: 500, violations: 0 },
        { proof: 'ledger', number: 2, differences: 0 },
        { proof: 'polls', number: 3 },
        { proof: 'schedules', number: 4, schedules: 1, failed: 0 },
        { proof: 'payouts', number: 5, recipients: 24, differ: 0 },
        { proof: 'planted', number: 7, trials: 8, undetected: 0 },
        { proof: 'mutations', number: 8, falseAccepts: 0, falseRefusals: 0 },
      ],
    })
  })

  test('say in words whether they hold, with progress beside', async () => {
    const { code, out, err } = await run('--part', 'steps', '--steps', '2000', '--seed', '5')
    expect(code).toBe(0)
    expect(out).toMatch(/^steps \(number 1\): holds\n {2}2000 orders in \d+ random sales, .* seed 5: 0 violations\n/)
    expect(err).toContain('steps: 2000 of 2000\n')
  })

  test('have a help with examples of the full numbers', async () => {
    const { code, out } = await run('--help')
    expect(code).toBe(0)
    expect(out).toContain('npm run presale:proof -- --part steps --steps 100000000')
  })

  test.each([
    [
      ['--part', 'step'],
      '--part expected names of steps, ledger, polls, schedules, payouts, planted, mutations, got step',
    ],
    [
      ['--part', 'steps,'],
      '--part expected names of steps, ledger, polls, schedules, payouts, planted, mutations, got an empty name',
    ],
    [['--steps', '1e6'], '--steps expected a whole number from 1 to 1000000000, got 1e6'],
    [['--seed', '0'], '--seed expected a whole number from 1 to 2147483648, got 0'],
    [['--trial', '-1'], '--trial expected a whole number from 1 to 1000000000, got -1'],
    [['--lanes', '33'], '--lanes expected a whole number from 1 to 32, got 33'],
    [['--trails', '3'], 'presale:proof has no option --trails: did you mean --trials?'],
    [['steps'], 'presale:proof expected options alone, got steps'],
  ])('refuse %j in one sentence', async (args, sentence) => {
    const { code, out, err } = await run(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    expect(err.trimEnd()).not.toContain('\n')
  })
})
