import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageEffectTypes } from '../../../src/events/effect.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import type { Draft } from '../../../src/runtime/core/draft.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { deviceClock } from '../../../src/runtime/host/timer.ts'
import { memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createDrivers } from '../../../src/worker/host/driverTable.ts'
import { soon } from '../../soon.ts'
import { terms, termsHash } from '../story.ts'

const nowhere = 'http://127.0.0.1:9'
const config: CoreConfig = {
  appBuild: 'test',
  coreBuild: 'test',
  projectId: 'p',
  relayUrls: ['ws://127.0.0.1:9'],
  solanaRpcUrl: nowhere,
  apiUrl: nowhere,
  configUrl: nowhere,
  termsUrl: nowhere,
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}

/** The drivers of a core that answers no request of theirs; `asked`: the inputs that they gave it. */
function opened() {
  const asked: Draft[] = []
  const drivers = createDrivers({
    config,
    life: 1,
    offered: [],
    keys: memoryKeys(),
    bytes: memoryBytes(),
    clock: deviceClock(),
    emit: input => void asked.push(input),
    relocate: async () => undefined,
    askedByPage: () => undefined,
    isSubscribed: () => false,
  })
  return { asked, drivers }
}

test('a verification of the ledger that is under way, or held, is stopped with its core', async () => {
  for (const isHeld of [false, true]) {
    const { asked, drivers } = opened()
    const answers: Answer[] = []
    const data = { terms, termsHash, versions: [termsHash], fresh: true }
    const ended = drivers.table['ledger.compute']?.({ id: 'e1.1.1', data }, answer => void answers.push(answer))
    await soon(() => expect(asked.map(({ type }) => type)).toContain('http.asked'))
    if (isHeld) await drivers.table['ledger.steer']?.({ id: 'e1.1.2', data: { act: 'pause' } }, () => undefined)
    drivers.stop()
    await ended
    expect(answers).toMatchObject([{ type: 'effect.failed', data: { failure: { code: 'elsewhere' } } }])
  }
})

test('every effect that no page carries out has a driver', () => {
  const [, types = ''] =
    /export type EffectData = \{\n(.*?)\n\}\n/s.exec(readFileSync('src/events/effect.ts', 'utf8')) ?? []
  const named = [...types.matchAll(/^ {2}'([a-z]+\.[A-Za-z]+)':/gm)].map(([, type = '']) => type)
  expect(named.length).toBeGreaterThan(50)
  const { table, stop } = opened().drivers
  stop()
  const ofPages: ReadonlySet<string> = pageEffectTypes
  // A page without a choice of networks has none for the switch
  const undriven = named.filter(type => !ofPages.has(type) && !(type in table))
  expect(undriven).toEqual(['core.switchNetwork'])
})
