import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import type { Decider } from '../../src/worker/core/context.ts'
import { connection } from '../../src/worker/deciders/connection.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { keep } from './keep.ts'
import { formOfKeyIn, keyOfTopic } from './secrets.ts'
import { kindOf } from './runtime/shrink.ts'
import { again, shrink } from './shrink.ts'
import { simulate, type Simulated } from './simulate.ts'

/** A core that does not record an abandoned attempt. */
const faulty: readonly Decider[] = deciders.map(decider =>
  decider === connection ? { ...connection, 'connection.abandon': () => undefined } : decider,
)
const said = 'connection.abandon: an attempt that was left is still there'

test('a seed that fails is made small, kept as a recording, and runs again from the line that says how', async () => {
  // Worlds on either disk take turns by their number
  let seed = -1
  let whole: Simulated | undefined
  while (!whole) {
    seed += 1
    if (seed === 200) throw new Error('the fault expected to be noticed by one of 200 seeds')
    const found = await simulate(seed, undefined, faulty)
    if (found.wrong === said && found.inputs > 30) whole = found
  }
  const small = await shrink(seed, { most: 25, deciders: faulty })
  expect(kindOf(small.outcome.wrong ?? '')).toBe(kindOf(said))
  expect(small.left.length).toBeLessThan(whole.drawn.length)

  const line = again(seed, small.without)
  const [, number = '', without = ''] = /--seed (\d+)(?: --without (\S+))? --verbose$/.exec(line) ?? []
  const once = await simulate(Number(number), new Set(without.split(',')), faulty)
  expect([once.wrong, once.hash]).toEqual([small.outcome.wrong, small.outcome.hash])
  // The planted fault fails, not the world
  expect((await simulate(Number(number), new Set(without.split(',')))).wrong).toBeUndefined()

  const folder = await mkdtemp(join(tmpdir(), 'kept-'))
  try {
    const file = await keep(small.outcome, folder)
    const read = await readRecordingFile(new Blob([await readFile(file)]))
    expect([read.complete, read.unknownTypes]).toEqual([true, {}])
    expect(read.records.map(record => record.line)).toEqual(small.outcome.lines)
    expect(reexecute(read.records, faulty)).toMatchObject({ ok: true })
    const shown = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      'src/main/replay.cli.ts',
      'show',
      file,
    ])
    expect(shown.stdout).toContain('core.started')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)

test('a core whose scratch memory a checkpoint cannot give back is noticed', async () => {
  // State outside the transient memory is missing after a restore from a checkpoint
  let readings = 0
  const forgetful: Decider = {
    'chain.sale': ctx => {
      readings += 1
      if (readings % 7 === 0) ctx.effect('timer.set', { timerId: 'sale:poll', at: ctx.at + 15_000 })
    },
    resume: () => void (readings = 0),
  }
  const wrongs: string[] = []
  for (let seed = 0; seed < 12; seed++)
    wrongs.push((await simulate(seed, undefined, [...deciders, forgetful])).wrong ?? '')
  expect(wrongs.some(wrong => wrong.startsWith('from the checkpoint'))).toBe(true)
})

test('a key in a log is found in whatever form it stands there', () => {
  const key = keyOfTopic('pairing-1')
  const raw = String.fromCharCode(...key)
  const forms = [Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64url'), JSON.stringify({ raw })]
  for (const form of forms) expect(formOfKeyIn(`{"data":"${form}"}`, 'pairing-1')).toBeDefined()
  expect(formOfKeyIn(`{"data":"${forms[0]}"}`, 'pairing-2')).toBeUndefined()
})
