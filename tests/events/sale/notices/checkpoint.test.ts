import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import {
  type Checkpoint,
  checkCheckpoint,
  checkpointText,
  readCheckpoint,
} from '../../../../src/events/sale/notices/checkpoint.ts'
import { exampleTerms, exampleTermsHash } from '../../values/exampleTerms.ts'

const presale = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
const checkpoint: Checkpoint = {
  format: 'mai-presale-checkpoint/1',
  presale,
  termsHash: exampleTermsHash,
  slot: 812,
  time: 1798765200,
  balances: { SOL: '625000890880', USDC: '50000000000' },
  raised: '150000000000000000',
  pos: '150000000000000000',
  tokens: '250000000000000000',
  orders: 3,
  buyers: 2,
  refundsOwed: { SOL: '0' },
  ledgerHash: 'a'.repeat(64),
  sig: '1'.repeat(64),
}
const reading = (changes: object) => () => readCheckpoint(JSON.stringify({ ...checkpoint, ...changes }))
const sale = { terms: exampleTerms(), presale, publishedTerms: [exampleTermsHash] }

describe('a checkpoint file', () => {
  test('is read; its signed text is the canonical one without the signature, behind its own domain', () => {
    const read = readCheckpoint(JSON.stringify(checkpoint, null, 2))
    expect(read.checkpoint).toEqual(checkpoint)
    expect(read.signedText).toBe(checkpointText(checkpoint))
    expect(read.signedText.startsWith('mai1/checkpoint\0{"balances":{"SOL":"625000890880",')).toBe(true)
    expect(read.signedText).not.toContain('sig')
  })

  test.each([
    ['an unknown key', { extra: 1 }],
    ['another format', { format: 'mai-presale-checkpoint/2' }],
    ['a negative slot', { slot: -1 }],
    ['a fraction of an order', { orders: 1.5 }],
    ['an amount as a number', { raised: 5 }],
    ['a list in place of amounts', { refundsOwed: [] as never }],
    ['a balance of an impossible symbol', { balances: { 'sol ': '1' } }],
    ['a signature of 63 bytes', { sig: '1'.repeat(63) }],
    ['a presale that is no key', { presale: 'presale' }],
    ['a missing key', { ledgerHash: undefined }],
  ])('with %s is refused', (_name, change) => {
    expect(reading(change)).toThrow(Fault)
  })

  test('that is not JSON is refused', () => {
    expect(() => readCheckpoint('<html>')).toThrow(/a checkpoint expected JSON, got text that does not parse/)
  })
})

describe('a valid checkpoint file of another sale or slot', () => {
  test('the right one is taken', () => {
    expect(() => checkCheckpoint(checkpoint, sale)).not.toThrow()
  })

  test.each<[string, Partial<Checkpoint>]>([
    ['PRESALE', { presale: exampleTerms().authority }],
    ['TERMS', { termsHash: 'b'.repeat(64) }],
    ['ASSET', { refundsOwed: { DOGE: '1' } }],
    ['POSITION', { pos: '825000000000000001' }],
    ['POSITION', { raised: '150000000000000001' }],
    ['TOKENS', { tokens: '750000000000000001' }],
  ])('is refused as %s (%#)', (rule, change) => {
    let facts: unknown
    try {
      checkCheckpoint({ ...checkpoint, ...change }, sale)
    } catch (cause) {
      facts = cause instanceof Fault ? cause.facts : cause
    }
    expect(facts).toEqual({ rule })
  })
})
