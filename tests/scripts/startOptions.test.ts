import { describe, expect, test } from 'vitest'
import { readStartOptions, startUsage } from '../../scripts/startOptions.ts'
import { ENDINGS } from '../stack/solana/presale/fill/fill.ts'

describe('options of npm start', () => {
  test('without any, the stored chain goes on with its usual sale', () => {
    expect(readStartOptions([])).toEqual({ fresh: false, stackOnly: false })
  })

  test('a demonstration has 10,000 orders and stands as asked', () => {
    expect(readStartOptions(['--demo'])).toEqual({ fresh: false, stackOnly: false, fill: { orders: 10_000 } })
    expect(readStartOptions(['--demo', '--ending', 'failed', '--fresh', '--stack-only'])).toEqual({
      fresh: true,
      stackOnly: true,
      fill: { orders: 10_000, ending: 'failed' },
    })
  })

  test('help names every option and ending', () => {
    expect(readStartOptions(['--help'])).toBeUndefined()
    for (const word of ['--fresh', '--demo', '--ending', ...ENDINGS]) expect(startUsage).toContain(word)
  })

  test.each([
    [['--ending', 'live'], '--ending expected --demo beside it'],
    [['--demo', '--ending', 'sometime'], '--ending expected live, sold-out, closed, failed, got sometime'],
    [['--dmeo'], "Unknown option '--dmeo'"],
    [['now'], 'Unexpected argument'],
  ])('%j gets a sentence', (args, sentence) => {
    expect(readStartOptions(args)).toContain(sentence)
  })
})
