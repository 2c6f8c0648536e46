/** The runtime with a product of its own records, replays, survives a kill and is re-executed. */
import { createHash } from 'node:crypto'
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Drive } from '../../src/runtime/host/driver.ts'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import { tablesHash } from '../../src/runtime/schema/tablesHash.ts'
import { soon } from '../soon.ts'
import { counter, emptyModel, facts, fold, inputs, live, runtime } from './counter.ts'

const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')

/** A life over the log on disk; `display` is the driver. */
async function begin(build: string, display: Drive) {
  const fail = (cause: unknown) => expect.fail(String(cause))
  const ports = { failed: fail, taken: () => fail('another core writes'), shrunk: fail }
  const opened = await runtime.open('counter', ports, { build })
  const begun = live({ ...opened, build, display, now: () => 1000 * opened.life, broke: fail })
  await begun.boot()
  return begun
}

test('a counter records, survives a kill, replays and is re-executed byte for byte', async () => {
  const first = await begin('a', async ({ data }, answer) => {
    if (data.count < 3) answer({ type: 'counter.displayed', data })
  })
  first.add(1)
  first.add(2)
  await first.journal.flush('strict')
  await soon(() => expect(first.core.model).toEqual({ count: 3, shown: 1, life: 1 }))
  await first.journal.flush('strict')
  first.add(4)
  first.kill()

  // Another build goes on: its first act is a checkpoint, its second is to show what was not shown yet
  const second = await begin('b', async ({ data }, answer) => answer({ type: 'counter.displayed', data }))
  await soon(() => expect(second.core.model).toEqual({ count: 3, shown: 3, life: 2 }))
  second.add(5)
  await soon(() => expect(second.core.model.shown).toBe(8))
  const lines = await soon(async () => {
    const found = await second.journal.lines()
    expect(found.some(line => line.startsWith('{"k":"c"'))).toBe(true)
    return found
  })
  second.kill()

  const builds = { appBuild: 'b', coreBuild: 'b', registryHash: tablesHash([inputs, facts]) }
  const header = { format: 'counter-recording', version: 2, logId: 'log-1', startedAt: 0, redaction: 'plain' } as const
  const text = await writeRecording({ header: { ...header, ...builds }, lines }, sha256)
  const replays = await runtime.replays()
  const { records, complete } = await replays.readRecording(text, sha256)
  const replayed = emptyModel()
  for (const { record } of records) if (record.k === 'f') fold(replayed, record)
  expect(complete).toBe(true)
  expect(replayed).toEqual(second.core.model)
  expect(replays.reexecute(records, { build: 'b' })).toEqual({ ok: true, inputs: 8, facts: 8 })
  const mistaken = { ...counter, 'counter.displayed': () => undefined }
  expect(replays.reexecute(records, { build: 'b', deciders: [mistaken] }).ok).toBe(false)
})
