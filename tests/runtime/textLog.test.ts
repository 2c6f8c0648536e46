import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextLog } from '../../src/runtime/textLog.ts'

const time = '2026-01-01T00:00:00.000Z'
const bytesOf = (text: string) => new TextEncoder().encode(text).length

test('text log: keeps errors with their time and level', () => {
  const log = createTextLog()
  log.add('warn', time, 'slow')
  log.add('error', time, 'broken')
  log.add('fatal', time, 'over')
  expect(log.text()).toBe(`${time} error broken\n${time} fatal over\n`)
  expect(log.dropped()).toBe(0)
})

test('text log: a lower level keeps more', () => {
  const log = createTextLog({ level: 'info' })
  for (const level of ['trace', 'debug', 'info', 'warn'] as const) log.add(level, time, level)
  expect(log.text()).toBe(`${time} info info\n${time} warn warn\n`)
})

test('text log: keeps cleaned texts alone', () => {
  const log = createTextLog({ clean: text => text.replace('secret', '…') })
  log.add('error', time, 'the secret word')
  expect(log.text()).toBe(`${time} error the … word\n`)
})

test('text log: has 1,024,000 bytes at most', () => {
  const log = createTextLog()
  const add = () => log.add('error', time, 'é'.repeat(484))
  add()
  expect(bytesOf(log.text())).toBe(1000)
  for (let lines = 1; lines < 1024; lines++) add()
  expect(bytesOf(log.text())).toBe(1_024_000)
  expect(log.dropped()).toBe(0)
  add()
  expect(bytesOf(log.text())).toBe(1_024_000)
  expect(log.dropped()).toBe(1)
})

test('text log: its bytes have a bound, and it keeps the newest whole lines', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 60 })
  fc.assert(
    fc.property(texts, fc.integer({ min: 40, max: 400 }), (added, maxBytes) => {
      const log = createTextLog({ maxBytes })
      const lines: string[] = []
      for (const [at, text] of added.entries()) {
        log.add('error', String(at), text)
        const line = `${at} error ${text}\n`
        if (bytesOf(line) <= maxBytes) lines.push(line)
        while (bytesOf(lines.join('')) > maxBytes) lines.shift()
        expect(log.text()).toBe(lines.join(''))
        expect(bytesOf(log.text())).toBeLessThanOrEqual(maxBytes)
      }
      expect(log.dropped()).toBe(added.length - lines.length)
    }),
    { seed: 101, numRuns: 200 },
  )
})
