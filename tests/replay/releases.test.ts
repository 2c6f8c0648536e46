/** Recordings of every release stay readable for ever: lifted to today's shapes, and shown to their end. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codec } from '../../src/events/log/codec.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { momentsOf } from '../../src/runtime/story/moments.ts'
import { foldTo } from '../../src/events/replay/foldTo.ts'

const folder = join(import.meta.dirname, 'releases')
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const open = (name: string) => readRecording(readFileSync(join(folder, name), 'utf8'), sha256)

describe.each(readdirSync(folder))('%s', name => {
  test('is read whole, every line in the newest version of its type', async () => {
    const { records, complete, unknownTypes } = await open(name)
    expect({ complete, unknownTypes }).toEqual({ complete: true, unknownTypes: {} })
    for (const { record } of records)
      if (record.k === 'i' || record.k === 'f' || record.k === 'p')
        expect(record.v, record.type).toBe(codec.definitionOf(record.k, record.type)?.version)
  })

  test('shows a started core, and orders with their ends', async () => {
    const moments = momentsOf((await open(name)).records)
    const model = foldTo(moments, moments.length)
    expect(model.core.life).toBeGreaterThan(0)
    expect(Object.keys(model.order).length).toBeGreaterThan(0)
  })
})

test('releases: 0.1.0 gets order keys, peers’ own names, and refusals without quoted words', async () => {
  const { records } = await open('0.1.0.replay.jsonl')
  const lifted = records.filter(one => one.lifted).map(({ record }) => record)
  expect(lifted.map(record => ('type' in record ? record.type : ''))).toEqual(
    expect.arrayContaining(['order.place', 'connection.made']),
  )
  expect(lifted).toContainEqual(
    expect.objectContaining({
      type: 'order.place',
      v: 2,
      data: expect.objectContaining({ orderKey: expect.stringMatching(/^[0-9a-f]{16}$/) }),
    }),
  )
  const altered = (await open('0.1.0-altered.replay.jsonl')).records
  for (const { record } of altered)
    if (record.k === 'f' && record.type === 'order.gateRefused') expect(record.data.failure).not.toHaveProperty('facts')
})

test('releases: 0.1.0 gets one signer for each transaction, and the keys of built ones', async () => {
  const records = (await Promise.all(readdirSync(folder).map(open))).flatMap(one => one.records)
  const found: Record<string, number> = {}
  for (const { record, lifted } of records) {
    if (record.k !== 'i' || !lifted) continue
    const { payload, ...data } = record.data as Record<string, any>
    const { decoded, derived } = payload ?? data
    if (!decoded) continue
    found[record.type] = (found[record.type] ?? 0) + 1
    expect(decoded.signers).toEqual([decoded.feePayer])
    if (record.type === 'chain.orderPrepared')
      expect(derived.references).toEqual(decoded.instructions.at(-1).references)
  }
  expect(Object.keys(found).sort()).toEqual(['chain.orderPrepared', 'relay.message', 'wallet.signed'])
})
