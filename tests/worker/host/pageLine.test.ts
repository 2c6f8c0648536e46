import { describe, expect, test } from 'vitest'
import { decode } from '../../../src/events/log/decode.ts'
import { pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import type { SentPageFact } from '../../../src/runtime/log/record.ts'
import type { Definitions } from '../../../src/runtime/schema/registry.ts'
import { pageLine } from '../../../src/worker/host/pageLine.ts'

const sent = { k: 'p', p: 1, life: 1, after: 0, tab: 't-1', at: 1_700_000_000_000 } as const
const opened = { ...sent, type: 'screen.opened', data: { screen: { name: 'WalletConnect' } } }

describe('a page fact’s line', () => {
  test('has the version of its type, so that it is read back unchanged', () => {
    const line = pageLine(opened)
    const { version } = (pageFactDefinitions as Definitions)['screen.opened'] ?? {}
    expect(version).toBeGreaterThan(1)
    expect(JSON.parse(line)).toEqual({ ...opened, v: version })
    expect(decode(line)).toMatchObject({ type: 'screen.opened', data: opened.data })
  })

  test.each([
    ['of an unknown type', { ...opened, type: 'screen.unheard' }],
    ['that does not fit its type', { ...opened, data: { screen: { name: 'Nowhere' } } }],
    ['whose type is a property of every object', { ...opened, type: 'constructor' }],
  ])('%s keeps its number and has no content', (_, fact) => {
    expect(JSON.parse(pageLine(fact))).toEqual({ ...sent, v: 1, type: 'page.unreadable', data: {} })
  })

  test('is that of a page fact, whatever kind the page gives', () => {
    const forged = { ...opened, k: 'i', n: 5 } as unknown as SentPageFact
    expect(pageLine(forged)).toBe(pageLine(opened))
  })

  test.each([
    ['p', '1,"p":2'],
    ['p', undefined],
    ['life', 1.5],
    ['after', Number.NaN],
    ['at', null],
    ['tab', 7],
    ['type', ['screen.opened']],
  ])('is refused when its %s is %j', (name, value) => {
    expect(() => pageLine({ ...opened, [name]: value } as unknown as SentPageFact)).toThrow(Fault)
  })
})
