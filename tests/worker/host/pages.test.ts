import { describe, expect, test } from 'vitest'
import type { Effect, FactRecord } from '../../../src/runtime/log/record.ts'
import type { PageEffect, PagePort } from '../../../src/events/wire.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { createPages } from '../../../src/worker/host/pages.ts'

function make() {
  const bytes = memoryBytes()
  const left: string[] = []
  const pages = createPages({ bytes, left: tab => left.push(tab) })
  const answers: Answer[] = []
  const drive = (effect: Omit<Effect, 'id'>) => pages.drive({ id: 'e1.2.0', ...effect }, input => answers.push(input))
  return { bytes, pages, left, answers, drive }
}

/** A page that records its calls; `refuses` the next batch. */
function page() {
  const performed: PageEffect[] = []
  const facts: number[] = []
  const calls: string[] = []
  const told = { refuses: false }
  const port: PagePort = {
    async facts(batch) {
      if (told.refuses) throw new Error('a fact is missing')
      facts.push(...batch.map(({ seq }) => seq))
    },
    perform: async effect => void performed.push(effect),
    detached: async () => void calls.push('detached'),
    restart: async () => void calls.push('restart'),
    otherBuild: async () => undefined,
  }
  return { port, performed, facts, calls, told }
}

const fact = (seq: number): FactRecord => ({ k: 'f', seq, n: 1, at: 1, type: 'network.online', v: 1, data: {} })
const sign = { type: 'wallet.signTransaction', data: { name: 'Solo' } }
const settle = () => new Promise<void>(resolve => setImmediate(resolve))

describe('page effects', () => {
  test('open in the tab of the press, with their bytes', async () => {
    const { pages, bytes, drive, answers } = make()
    const [one, two] = [page(), page()]
    pages.join('t1', one.port)
    pages.join('t2', two.port)
    const bytesRef = await bytes.put(Uint8Array.of(1, 2), 'order-1')
    await drive({ ...sign, data: { ...sign.data, bytesRef }, tab: 't2' })
    expect(one.performed).toEqual([])
    expect(two.performed).toMatchObject([{ id: 'e1.2.0', bytes: Uint8Array.of(1, 2) }])
    expect(answers).toEqual([])
  })

  test('with a prompt never open in a page without a press', async () => {
    const { pages, drive, answers } = make()
    const other = page()
    pages.join('t2', other.port)
    await drive({ ...sign, tab: 't1' })
    await drive({ type: 'wallet.connect', data: { name: 'Solo', walletKey: 'k', silent: false }, tab: 't1' })
    expect(other.performed).toEqual([])
    expect(answers.map(({ data }) => (data.failure as { code: string }).code)).toEqual(['wallet_gone', 'wallet_gone'])
  })

  test('without a prompt go to another page when theirs is gone', async () => {
    const { pages, drive } = make()
    const other = page()
    pages.join('t2', other.port)
    await drive({ type: 'wallet.connect', data: { name: 'Solo', walletKey: '', silent: true }, tab: 't1' })
    await drive({ type: 'wallet.watch', data: { connectionId: 'c', name: 'Solo', account: 'a' }, tab: 't1' })
    expect(other.performed).toHaveLength(2)
  })

  test('without a page, without their bytes, or refused by the page, end in a failure', async () => {
    const { pages, drive, answers } = make()
    await drive(sign)
    const broken = page()
    broken.port.perform = () => Promise.reject(new Error('gone'))
    pages.join('t1', broken.port)
    await drive({ ...sign, data: { bytesRef: 'f'.repeat(64) } })
    await drive(sign)
    expect(answers.map(({ type, data }) => [type, (data.failure as { code: string }).code])).toEqual([
      ['wallet.failed', 'wallet_gone'],
      ['wallet.failed', 'expired'],
      ['wallet.failed', 'wallet_gone'],
    ])
  })
})

describe('joined pages', () => {
  test('that miss a fact are detached once, and join again', async () => {
    const { pages, left } = make()
    const one = page()
    pages.join('t1', one.port)
    one.told.refuses = true
    pages.publish([fact(1)], true)
    await settle()
    expect(left).toEqual(['t1'])
    expect(one.calls).toEqual(['detached'])
    one.told.refuses = false
    pages.join('t1', one.port)
    pages.publish([fact(2)], true)
    await settle()
    expect(one.facts).toEqual([2])
    expect(left).toEqual(['t1'])
  })

  test('that join again get each fact once', async () => {
    const { pages } = make()
    const [before, after] = [page(), page()]
    pages.join('t1', before.port)
    pages.join('t1', after.port)
    pages.publish([fact(1)], true)
    await settle()
    expect(before.facts).toEqual([])
    expect(after.facts).toEqual([1])
  })

  test('all restart on another log, also those that join later', () => {
    const { pages } = make()
    const [one, two] = [page(), page()]
    pages.join('t1', one.port)
    pages.join('t2', two.port)
    pages.restart('another')
    expect([...one.calls, ...two.calls]).toEqual(['restart', 'restart'])

    // Before any page joins, the chain may turn out to be another one
    const three = page()
    pages.join('t3', three.port)
    expect(three.calls).toEqual(['restart'])
  })
})
