/** A host's sign-in: its screen, and the outcome of its promise. */
import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import { fold } from '../../../src/events/coreFolds.ts'
import { emptyModel } from '../../../src/events/emptyModel.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { createSignIns, pageOf } from '../../../src/main/signIn/signIn.ts'
import type { Store } from '../../../src/ui/store.ts'

const here = { domain: 'dapp.example', uri: 'https://dapp.example/' }
const request = { chains: ['eip155:1'], nonce: '12345678' }
const sent = { pairingTopic: 'p', responseTopic: 'r', publicKey: 'k', payloadId: '17990' }
const peer = { name: 'Torch', url: 'https://torch.example', description: '', icons: [] }
const answer = {
  responderKey: 'w',
  peer,
  signed: [{ chain: 'eip155:1', address: '0xab', methods: [], chains: ['eip155:1'], cacao: '{"h":1}' }],
}

/** Runs callbacks of settled promises. */
const settled = () => new Promise(resolve => setTimeout(resolve, 0))

/** A page with a core under the test's control. */
function signIns(refuses?: Error) {
  const commands: { type: string; data: object }[] = []
  const listeners = new Set<(facts: readonly FactRecord[]) => void>()
  const changed = new Set<() => void>()
  let model: Model = emptyModel()
  let seq = 0
  let given = 0
  const store = { model: () => model, subscribe: (on: () => void) => (changed.add(on), () => void changed.delete(on)) }
  const made = createSignIns(
    {
      store: store as unknown as Store,
      runtime: {
        give: command => {
          commands.push(command)
          given += 1
          return { ref: `r${given}`, taken: refuses ? Promise.reject(refuses) : Promise.resolve() }
        },
        command: command => void commands.push(command),
        hear: listener => (listeners.add(listener), () => void listeners.delete(listener)),
        core: { pairingUri: async (topic: string) => `wc:${topic}@2` } as never,
      },
    },
    here,
  )
  return {
    ...made,
    commands,
    refuses: (why?: Error) => void (refuses = why),
    hearing: () => listeners.size + changed.size,
    facts(...told: [string, Record<string, unknown>][]) {
      const facts = told.map(([type, data]): FactRecord => {
        seq += 1
        return { k: 'f', seq, n: seq, at: seq, type, v: 1, data, ref: `r${given}` }
      })
      for (const listener of listeners) listener(facts)
    },
    /** The page joins another core with this model. */
    joins(...told: [string, Record<string, unknown>][]) {
      model = emptyModel()
      for (const [type, data] of told) fold(model, { type, at: 1, data })
      for (const listener of changed) listener()
    },
  }
}
const requested = (more = {}): [string, Record<string, unknown>] => [
  'auth.requested',
  { authId: 'a', asked: { ...here, ...request, methods: [] }, expiresAt: 9, ...more },
]
const created: [string, Record<string, unknown>] = ['auth.created', { authId: 'a', ...sent }]

test('sign-in: it is requested with this page’s own address, shown with its code, and resolves with the statements', async () => {
  const on = signIns()
  const signed = on.ask(request)
  expect(on.commands).toEqual([{ type: 'auth.request', data: { ...here, methods: [], ...request } }])
  expect(on.shown()).toEqual({ wantsPress: false })
  on.facts(requested(), created, ['auth.delivered', { authId: 'a' }])
  await expect.poll(() => on.shown()?.uri).toBe('wc:p@2')
  expect(on.shown()?.auth?.phase).toBe('delivered')
  on.facts(['auth.answered', { authId: 'a', ...answer }], ['auth.done', { authId: 'a', sessionTopic: 's' }])
  expect(await signed).toEqual({ accounts: ['eip155:1:0xab'], statements: ['{"h":1}'], sessionTopic: 's' })
  expect([on.shown(), on.hearing()]).toEqual([undefined, 0])
})

test('sign-in: a failed one rejects with the code, and is shown until it is closed', async () => {
  const on = signIns()
  const signed = on.ask(request)
  on.facts(requested(), ['auth.failed', { authId: 'a', failure: { code: 'expired', message: 'late' } }])
  await expect(signed).rejects.toMatchObject({ code: 'expired', message: 'late' })
  expect(on.shown()?.auth?.phase).toBe('failed')
  on.leave()
  expect([on.shown(), on.hearing(), on.commands.length]).toEqual([undefined, 0, 1])
})

test('sign-in: one left by the person is abandoned, also when its id comes only after that', async () => {
  const named = signIns()
  const signed = named.ask(request)
  named.facts(requested())
  named.leave()
  await expect(signed).rejects.toMatchObject({ code: 'user_rejected' })
  expect(named.commands.at(-1)).toEqual({ type: 'auth.abandon', data: { authId: 'a' } })

  const early = signIns()
  const other = early.ask(request)
  early.leave()
  await expect(other).rejects.toMatchObject({ code: 'user_rejected' })
  early.facts(requested())
  expect(early.commands.at(-1)).toEqual({ type: 'auth.abandon', data: { authId: 'a' } })
  expect([early.shown(), early.hearing()]).toEqual([undefined, 0])
})

test('sign-in: an impossible or untaken request rejects and shows nothing', async () => {
  const on = signIns()
  const refused = on.ask({ ...request, chains: [] })
  on.facts(['auth.refused', { message: 'chains expected one at least' }])
  await expect(refused).rejects.toMatchObject({ code: 'bad_input', message: 'chains expected one at least' })
  const lost = signIns(new Error('the core was lost'))
  await expect(lost.ask(request)).rejects.toThrow('the core was lost')
  expect([on.shown(), lost.shown()]).toEqual([undefined, undefined])
})

test('sign-in: a second one is refused while the first waits', async () => {
  const on = signIns()
  void on.ask(request).catch(() => undefined)
  await expect(on.ask(request)).rejects.toMatchObject({ code: 'busy' })
  on.leave()
  void on.ask(request).catch(() => undefined)
  expect(on.commands.filter(({ type }) => type === 'auth.request')).toHaveLength(2)
})

test('sign-in: a link that waits for a press is shown until the wallet has it', () => {
  const on = signIns()
  void on.ask({ ...request, walletLink: 'https://wallet.example' }).catch(() => undefined)
  on.facts(requested({ byLink: true }), created, ['link.skipped', { requestId: 'another', why: 'noPress' }])
  expect(on.shown()?.wantsPress).toBe(false)
  on.facts(['link.skipped', { requestId: sent.payloadId, why: 'noPress' }])
  expect(on.shown()).toMatchObject({ wantsPress: true, auth: { byLink: true } })
  on.facts(['auth.delivered', { authId: 'a' }])
  expect(on.shown()).toMatchObject({ wantsPress: false })
})

test('sign-in: an outcome missed with a lost core is read when the page joins the next one', async () => {
  const on = signIns()
  const signed = on.ask(request)
  on.facts(requested(), created)
  on.joins(requested(), created)
  expect(on.shown()?.auth?.phase).toBe('created')
  on.joins(requested(), created, ['auth.answered', { authId: 'a', ...answer }], ['auth.done', { authId: 'a' }])
  expect(await signed).toMatchObject({ accounts: ['eip155:1:0xab'] })
  expect(on.hearing()).toBe(0)
})

describe('a new code of a sign-in', () => {
  const second = { ...sent, pairingTopic: 'p2', responseTopic: 'r2', payloadId: '17992' }
  const secondRequested = requested({ authId: 'b' })
  const secondCreated: [string, Record<string, unknown>] = ['auth.created', { authId: 'b', ...second }]
  const asked = async () => {
    const on = signIns()
    const signed = on.ask(request)
    on.facts(requested(), created, ['auth.delivered', { authId: 'a' }])
    await expect.poll(() => on.shown()?.uri).toBe('wc:p@2')
    return { on, signed }
  }
  const renewed = async () => {
    const { on, signed } = await asked()
    on.renew()
    on.facts(secondRequested, secondCreated)
    await expect.poll(() => on.shown()?.uri).toBe('wc:p2@2')
    return { on, signed }
  }

  test('is requested like the first one, once, and replaces it when it comes', async () => {
    const { on } = await asked()
    on.renew()
    on.renew()
    expect(on.commands.map(({ type }) => type)).toEqual(['auth.request', 'auth.request'])
    expect(on.commands[1]).toEqual(on.commands[0])
    on.facts(secondRequested)
    expect(on.shown()).toMatchObject({ uri: 'wc:p@2', auth: { authId: 'a' } })
    on.facts(secondCreated)
    await expect.poll(() => on.shown()).toMatchObject({ uri: 'wc:p2@2', auth: { authId: 'b', phase: 'created' } })
    on.facts(['auth.delivered', { authId: 'b' }])
    expect(on.shown()).toMatchObject({ uri: 'wc:p2@2', auth: { authId: 'b', phase: 'delivered' } })
    expect(on.commands).toHaveLength(2)
  })

  test('leaves the one before it answerable: its answer is shown, counts, and ends the other', async () => {
    const { on, signed } = await renewed()
    on.facts(['auth.answered', { authId: 'a', ...answer }])
    expect(on.shown()?.auth).toMatchObject({ authId: 'a', phase: 'answered' })
    on.facts(['auth.delivered', { authId: 'b' }])
    expect(on.shown()?.auth).toMatchObject({ authId: 'a', phase: 'answered' })
    on.facts(['auth.done', { authId: 'a' }])
    expect(await signed).toMatchObject({ accounts: ['eip155:1:0xab'] })
    expect(on.commands.at(-1)).toEqual({ type: 'auth.abandon', data: { authId: 'b' } })
    expect([on.shown(), on.hearing()]).toEqual([undefined, 0])
  })

  test('ends with the sign-in: when the first one ends, all do', async () => {
    const { on, signed } = await renewed()
    on.facts(['auth.failed', { authId: 'a', failure: { code: 'expired', message: 'late' } }])
    await expect(signed).rejects.toMatchObject({ code: 'expired' })
    expect(on.commands.at(-1)).toEqual({ type: 'auth.abandon', data: { authId: 'b' } })
    on.renew()
    expect([on.hearing(), on.commands.length]).toEqual([0, 3])
  })

  test('and the one before it are abandoned when the person leaves, the one without an id as soon as it has one', async () => {
    const { on, signed } = await asked()
    on.renew()
    on.leave()
    await expect(signed).rejects.toMatchObject({ code: 'user_rejected' })
    expect(on.commands.at(-1)).toEqual({ type: 'auth.abandon', data: { authId: 'a' } })
    on.facts(secondRequested)
    expect(on.commands.at(-1)).toEqual({ type: 'auth.abandon', data: { authId: 'b' } })
    expect([on.shown(), on.hearing()]).toEqual([undefined, 0])
  })

  test('may be requested again after a core died without an answer', async () => {
    const { on } = await asked()
    on.renew()
    await settled()
    on.renew()
    expect(on.commands.map(({ type }) => type)).toEqual(['auth.request', 'auth.request', 'auth.request'])
    on.facts(secondRequested, secondCreated)
    await expect.poll(() => on.shown()?.uri).toBe('wc:p2@2')
  })

  test('not taken by the core leaves the one before it, and may be requested again', async () => {
    const { on, signed } = await asked()
    on.refuses(new Error('the core was lost'))
    on.renew()
    await settled()
    expect(on.shown()).toMatchObject({ uri: 'wc:p@2', auth: { authId: 'a' } })
    on.refuses()
    on.renew()
    expect(on.commands).toHaveLength(3)
    on.leave()
    await expect(signed).rejects.toMatchObject({ code: 'user_rejected' })
  })
})

test('sign-in: the default uri is origin and path, without query and fragment', () => {
  const page = new URL('https://dapp.example:8443/sale/?wc_ev=c2VjcmV0&topic=ab&token=1#seed')
  expect(pageOf(page)).toEqual({ domain: 'dapp.example:8443', uri: 'https://dapp.example:8443/sale/' })
})

test('sign-in: it ends when a lost core took its request without giving its id', async () => {
  const on = signIns()
  const signed = on.ask(request)
  // A join while the command is on its way decides nothing yet
  on.facts()
  expect(on.shown()).toBeDefined()
  await Promise.resolve()
  on.facts()
  await expect(signed).rejects.toMatchObject({ code: 'core_lost' })
  expect([on.shown(), on.hearing()]).toEqual([undefined, 0])
})

test('sign-in: it continues when its id came before the core was lost', async () => {
  const on = signIns()
  void on.ask(request)
  on.facts(requested())
  await Promise.resolve()
  on.joins(requested())
  on.facts()
  expect(on.shown()).toBeDefined()
})

test('sign-in: it ends when the page comes to another log, of another network, which does not have it', async () => {
  const on = signIns()
  const signed = on.ask(request)
  on.facts(requested(), created)
  await Promise.resolve()
  on.joins()
  on.facts()
  await expect(signed).rejects.toMatchObject({ code: 'core_lost' })
  expect([on.shown(), on.hearing()]).toEqual([undefined, 0])
})
