import { expect, test } from 'vitest'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { strict } from '../../../src/main/replay/strict.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { recordingOfCore } from '../../../src/worker/replay/recordingText.ts'
import { boot, createLog, header } from '../../events/recordedLog.ts'

const { coreBuild } = header
const config = { appBuild: 'app-build', coreBuild } as CoreConfig
const attached = { type: 'page.attached', data: { visible: true, asking: [], answered: [] }, tab: 't1' }
const online = (is: boolean) => ({ type: 'page.online', data: { online: is } })

/** A running core whose log is read while `meanwhile` goes on. */
async function saved(meanwhile: (log: ReturnType<typeof createLog>) => void = () => undefined, lost = 0) {
  const log = createLog()
  log.input(boot(1))
  log.input(attached)
  log.page('tab.opened', { width: 1280, theme: 'light', language: 'en' })
  log.input(online(false))
  const n = 3
  const journal = {
    head: () => ({ life: 1, n, seq: log.core.seq }),
    async lines() {
      meanwhile(log)
      return log.lines.slice(0, log.lines.length - lost)
    },
  }
  const { core } = log
  const tail = [{ k: 'p' as const, p: 9, life: 1, after: 1, tab: 't2', at: 1, type: 'screen.closed', data: {} }]
  const ports = { config, genesisHash: '', core, journal, tail, now: () => header.startedAt }
  return readRecording(await recordingOfCore(ports), sha256Hex)
}

test('recording of a running core: strict re-execution ends at the model it states', async () => {
  const recording = await saved()
  expect(strict(recording, coreBuild)).toMatchObject({ ok: true, inputs: 3 })
  const state = { ...recording.header.state, network: '00000000' }
  const edited = { ...recording, header: { ...recording.header, state } }
  expect(strict(edited, coreBuild)).toMatchObject({ ok: false, difference: { n: 3, field: 'state.network' } })
  // Another build folds as it likes, and a cut recording ends elsewhere
  expect(strict(edited, 'another')).toMatchObject({ ok: true })
  expect(strict({ ...edited, complete: false }, coreBuild)).toMatchObject({ ok: true })
  const { state: _, ...older } = recording.header
  expect(strict({ ...edited, header: older }, coreBuild)).toMatchObject({ ok: true })
})

test('recording of a running core: inputs that come while its log is read are left out, page facts are not', async () => {
  const recording = await saved(log => {
    log.input(online(true))
    log.page('screen.closed', {})
    log.input(online(false))
    log.input(online(true))
  })
  expect(strict(recording, coreBuild)).toMatchObject({ ok: true, inputs: 3 })
  expect(recording.header.state).toEqual((await saved()).header.state)
  expect(recording.records.filter(({ record }) => record.k === 'p')).toHaveLength(3)
})

test('recording of a running core: a log that ends before the model states none', async () => {
  const recording = await saved(undefined, 3)
  expect(recording.records.filter(({ record }) => record.k === 'i')).toHaveLength(2)
  expect(recording.header).not.toHaveProperty('state')
  expect(strict(recording, coreBuild)).toMatchObject({ ok: true })
})
