/** The wallet list, the analytics switch and the analytics service under every fault of the local services. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EffectData } from '../../../src/events/effect.ts'
import type { Answer, Drive } from '../../../src/runtime/host/driver.ts'
import { createDirectoryDriver } from '../../../src/worker/drivers/directory.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { createPulseDriver } from '../../../src/worker/drivers/pulse.ts'
import type { Fault } from '../../stack/services/faults.ts'
import { type ServicesStack, startServices } from '../../stack/services/services.ts'
import { listFaults, listPaths } from './listFaults.ts'

const projectId = '0123456789abcdef0123456789abcdef'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
let services: ServicesStack

beforeAll(async () => {
  services = await startServices()
})
afterAll(() => services.close())

const list: EffectData['directory.read'] = { page: 1, entries: 40, search: '', include: [], exclude: [] }
const events: EffectData['pulse.send'] = {
  events: [{ eventId: 'e1', at: 1, event: 'MODAL_OPEN', connected: false }],
  genesisHash: '',
}

/** Long enough for any answer on a busy machine; a silent service is given up sooner. */
const answerMs = 60_000
const silentMs = 300

/** Carries out one effect. */
async function answerOf(
  type: 'directory.read' | 'pulse.readSwitch' | 'pulse.send',
  timeoutMs = answerMs,
): Promise<Answer> {
  const { url } = services
  const http = createHttp({ wait: async () => {}, timeoutMs })
  const analytics = {
    url,
    pageUrl: 'https://shop.example/',
    terms: { consent: 'given' as const },
    options: { networks: [] },
  }
  const soon: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      signal: AbortSignal.any([init?.signal ?? AbortSignal.timeout(timeoutMs), AbortSignal.timeout(timeoutMs)]),
    })
  const drivers: Record<string, Drive> = {
    ...createDirectoryDriver({ configUrl: url, projectId, chains: [solana], http }),
    ...createPulseDriver({ analytics, configUrl: url, projectId, http }, soon),
  }
  const data = { 'directory.read': list, 'pulse.readSwitch': {}, 'pulse.send': events }[type]
  const answers: Answer[] = []
  await drivers[type]?.({ id: 'e1.1.1', data } as never, input => answers.push(input))
  expect(answers).toHaveLength(1)
  return answers[0] as Answer
}

const good = { 'directory.read': 'directory.read', 'pulse.readSwitch': 'pulse.switched', 'pulse.send': 'pulse.sent' }
describe.each(['directory.read', 'pulse.readSwitch', 'pulse.send'] as const)('%s', type => {
  const fail = (fault: Fault | null) => services.control({ fail: { [listPaths[type]]: fault } })

  test.each(listFaults)('under %o is %s', async (fault, code, sends) => {
    fail(fault)
    const answer = await answerOf(type)
    fail(null)
    if (type === 'pulse.send' && sends) expect(answer.type).toBe('pulse.sent')
    else expect(answer).toMatchObject({ data: { failure: { code } } })
    expect((await answerOf(type)).type).toBe(good[type])
  })

  test('of a service that is silent ends in time', async () => {
    fail({ hold: true })
    const answer = await answerOf(type, silentMs)
    fail(null)
    services.control({ release: listPaths[type] })
    expect(answer.data).toMatchObject({ failure: { code: expect.stringMatching(/^(?:timeout|unreachable)$/) } })
  })
})
