/** Wallets and hosts choose names freely: redaction replaces them by tokens, and the core decides the same. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode } from '../../src/events/log/codec.ts'
import { isPublicName } from '../../src/events/recording/publicNames.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { redactRecording } from '../../src/worker/replay/redactRecording.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { recordingOf } from '../events/recordedLog.ts'
import { account, caip2 } from './story.ts'
import { answered, message, settlement, shown } from './wcStory.ts'

const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const planted = ['alice_lives_in_bern', 'AliceMoved', 'alicens', 'alicechain', 'hosts_of_alice', 'AliceAgain']

/** The log of a wallet and a host that use custom names everywhere. */
function lines(): string[] {
  const world = shown()
  const sessionTopic = 'ab'.repeat(32)
  const params = `{"pubkey":"${account}","message":"2NEpo7TZRRrLZSi2U"}`
  answered(world, 'pairing-1', sessionTopic)
  const namespaces = {
    solana: {
      accounts: [`${caip2}:${account}`],
      methods: ['solana_signTransaction', 'alice_lives_in_bern'],
      events: ['accountsChanged', 'AliceMoved'],
    },
    'alicens:alicechain': { accounts: [`alicens:alicechain:${account}`], methods: ['alice_lives_in_bern'], events: [] },
  }
  message(world, sessionTopic, settlement(world, { namespaces }))
  message(world, sessionTopic, {
    kind: 'event',
    id: '1799000000000001',
    event: 'AliceMoved',
    chainId: caip2,
    data: '1',
  })
  message(world, sessionTopic, {
    kind: 'event',
    id: '1799000000000002',
    event: 'AliceAgain',
    chainId: 'alicens:alicechain',
  })
  message(world, sessionTopic, { kind: 'request', id: '1799000000000003', method: 'alice_lives_in_bern' })
  world.command('request.send', { sessionTopic, chainId: caip2, method: 'alice_lives_in_bern', params })
  world.command('request.send', { sessionTopic, chainId: caip2, method: 'hosts_of_alice', params })
  world.kill('lost')
  world.pass(60_000)
  const core = createCore(deciders, emptyCoreModel())
  return world.inputs.flatMap(input => {
    const { facts, effects } = core.step(input)
    const ordered = effectRecord(input, effects)
    return [encode(input), ...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
  })
}

describe('a name chosen by a stranger', () => {
  test.each(['tokens', 'view'] as const)('is replaced in a recording with %s', async policy => {
    const log = lines()
    for (const name of planted) expect(log.join('\n')).toContain(name)
    const recording = await readRecording(await recordingOf(log), sha256)
    const settings = { policy, key: 'a key', build: 'core-build', deciders }
    const { text } = await redactRecording(recording, settings, sha256)
    expect(text).not.toMatch(/alice/i)
    expect(text).toContain('solana_signTransaction')
    expect(text).toContain(caip2)
    if (policy === 'view') return
    const { records } = await readRecording(text, sha256)
    expect(reexecute(records, deciders, { build: 'core-build' })).toMatchObject({ ok: true })
  })

  test('is told from standard names', () => {
    for (const name of ['personal_sign', 'chainChanged', 'eip155', 'eip155:137', caip2, ''])
      expect(isPublicName(name), name).toBe(true)
    for (const name of ['eth_myMailIsA', 'eip155:0x1', 'eip155:12345678901', 'solana:alice', 'constructor', 'toString'])
      expect(isPublicName(name), name).toBe(false)
  })
})
