import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { causesOf } from '../../../src/events/replay/causes.ts'
import type { Link } from '../../../src/runtime/story/cause.ts'
import type { Recorded } from '../../../src/runtime/recording/recording.ts'
import { readRecordingFile } from '../../../src/main/page/redaction/recordingFile.ts'
import { connectedLog, parsed } from '../../events/recordedLog.ts'

const told = (links: readonly Link[]) =>
  links.map(link => {
    if (link.kind === 'effect') return `effect ${link.type} ${link.id}`
    return `${link.kind} ${link.record.type}`
  })

function causeOf(records: readonly Recorded[], fits: (record: Recorded['record']) => boolean): Link[] {
  const index = records.findIndex(({ record }) => fits(record))
  const record = records[index]?.record
  if (record?.k !== 'i' && record?.k !== 'f' && record?.k !== 'p') throw new Error('expected an entry, got none')
  return causesOf(records).of({ record, index })
}

const recorded = async (name: string) => {
  const file = join(import.meta.dirname, '../../replay/recordings', `${name}.jsonl`)
  return (await readRecordingFile(new Blob([readFileSync(file)]))).records
}

describe('the cause of a fact', () => {
  const records = parsed(connectedLog())

  test('is its input, the effect that answered, and the command that ordered it', () => {
    const links = causeOf(records, record => record.k === 'f' && record.type === 'connection.made')
    expect(told(links).slice(0, 5)).toEqual([
      'input connection.connectInstalled',
      'fact connection.requested',
      'effect wallet.connect e1.3.0',
      'input wallet.connected',
      'fact connection.made',
    ])
    expect(links[0]).toMatchObject({ from: 'command', record: { ref: 'c1', tab: 't1' } })
    expect(
      told(links)
        .slice(5)
        .every(link => /^effect .* e1\.4\.\d$/.test(link)),
    ).toBe(true)
  })

  test('of a page is the newest fact the page had folded', () => {
    expect(told(causeOf(records, record => record.k === 'p' && record.type === 'screen.closed'))).toEqual([
      'fact connection.made',
      'page screen.closed',
    ])
  })

  test('of a boot is the boot', () => {
    const links = causeOf(records, record => record.k === 'f' && record.type === 'core.started')
    expect(told(links).slice(0, 2)).toEqual(['input core.boot', 'fact core.started'])
    expect(links[0]).toMatchObject({ from: 'outside' })
  })

  test('of an input has the facts and effects that it caused', () => {
    const links = causeOf(records, record => record.k === 'i' && record.type === 'connection.connectInstalled')
    expect(told(links).slice(0, 2)).toEqual(['input connection.connectInstalled', 'fact connection.requested'])
  })

  test('stops at the record where a truncated or partial log begins', () => {
    const tail = records.slice(
      records.findIndex(({ record }) => record.k === 'i' && record.type === 'wallet.connected'),
    )
    expect(told(causeOf(tail, record => record.k === 'f' && record.type === 'connection.made'))[0]).toBe(
      'input wallet.connected',
    )
  })
})

describe('the cause of an order’s end', () => {
  test.each(['walletconnect-worker-killed', 'worker-killed-around-sending', 'worker-killed-while-prompt-open'])(
    'goes back to its command through a worker’s death (%s)',
    async name => {
      const records = await recorded(name)
      const last = records.filter(({ record }) => record.k === 'f' && record.type.startsWith('order.')).at(-1)?.record
      const links = causeOf(records, record => record === last)
      expect(links[0]).toMatchObject({ kind: 'input', from: 'command' })
      expect(told(links)[0]).toMatch(/^input order\./)
      const lives = new Set(links.flatMap(link => (link.kind === 'effect' ? [link.id.split('.')[0]] : [])))
      expect(lives.size).toBeGreaterThan(1)
      const numbers = links.flatMap(link => (link.kind === 'input' ? [link.record.n] : []))
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    },
  )

  test('of every fact in every journey ends at a command, a boot or an outside input', async () => {
    for (const name of ['connect-installed-buy-sol', 'walletconnect-buy-sol', 'declined']) {
      const records = await recorded(name)
      const causes = causesOf(records)
      records.forEach(({ record }, index) => {
        if (record.k !== 'f') return
        const links = causes.of({ record, index })
        expect(links[0]).toMatchObject({ kind: 'input', from: expect.stringMatching(/command|outside/) })
        expect(links.filter(link => link.kind === 'fact').map(link => link.index)).toContain(index)
      })
    }
  })
})
