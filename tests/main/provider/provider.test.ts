import { describe, expect, test } from 'vitest'
import { account, caip2 } from '../../worker/story.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { createHost, evm, type Host, holder, other } from './host.ts'

const sign = { method: 'personal_sign', params: ['0x68656c6c6f', holder] }

describe('connecting', () => {
  test('shows a code by display_uri, and resolves with the session after a wallet’s approval', async () => {
    const host = createHost()
    const topic = await host.connect(evm())
    expect(host.heard('display_uri')).toEqual(['wc:pairing-1@2'])
    expect(host.provider.session).toMatchObject({
      topic,
      namespaces: { eip155: { accounts: [`eip155:1:${holder}`] } },
      peer: { metadata: { name: 'Torch' } },
    })
    expect(host.heard('connect')).toMatchObject([{ session: { topic }, chainId: '0x1' }])
  })

  test('proposes required and optional namespaces, and keeps RPC addresses private', async () => {
    const host = createHost()
    const part = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] }
    await host.connect(
      { ...evm(['eip155:1', 'eip155:10']) },
      {},
      {
        namespaces: { eip155: { ...part, rpcMap: { '1': 'https://node.example/secret-key' } } },
        optionalNamespaces: { eip155: { ...part, chains: ['eip155:10'] } },
        sessionProperties: { a: 'b' },
        scopedProperties: { 'eip155:1': { walletService: [{ url: 'x' }] } },
      },
    )
    const { proposal } = Object.values(host.world.model.session)[0] ?? {}
    expect(proposal).toEqual({
      required: { eip155: part },
      optional: { eip155: { ...part, chains: ['eip155:10'] } },
      sessionProperties: { a: 'b' },
      scopedProperties: { 'eip155:1': '{"walletService":[{"url":"x"}]}' },
    })
    await host.provider.request({ method: 'eth_blockNumber' })
    expect(host.asked[0]?.url).toBe('https://node.example/secret-key')
    expect(JSON.stringify([host.world.inputs, host.world.facts])).not.toContain('secret-key')
  })

  test('fails with the core’s message and code on an invalid proposal', async () => {
    const { provider } = createHost()
    await expect(
      provider.connect({ namespaces: { eip155: { chains: ['1'], methods: [], events: [] } } }),
    ).rejects.toMatchObject({ code: 5100, message: expect.stringContaining('should be a string and conform to') })
  })

  test('fails with 5000 on a decline, and with the protocol’s words at the expiry', async () => {
    for (const [payload, expected] of [
      [
        { kind: 'error', error: { code: 5000, message: '' } },
        { code: 5000, message: 'User rejected.' },
      ],
      [undefined, { code: 6, message: 'Proposal expired' }],
    ] as const) {
      const host = createHost()
      const connecting = host.provider.connect({ optionalNamespaces: {} })
      const { attemptId } = host.world.last('vault.makePairing').data
      await host.settle()
      const made = { attemptId, pairingTopic: 'pairing-1', publicKey: 'cd'.repeat(32) }
      host.came(host.world.answer('vault.makePairing', 'vault.pairingMade', made))
      const id = host.world.model.pairing.open['pairing-1']?.proposalId ?? ''
      const failed = expect(connecting).rejects.toMatchObject(expected)
      if (payload) await host.says('pairing-1', { ...payload, id })
      else {
        host.world.input('page.visible', { visible: false }, { tab: 't-1' })
        host.came(host.world.fire('pairing:pairing-1'))
      }
      await failed
    }
  })

  test('with a missed beginning still shows its code, and ends as its facts do', async () => {
    for (const end of ['approved', 'left'] as const) {
      const host = createHost()
      host.hold([])
      const connecting = host.provider.connect({ optionalNamespaces: {} })
      const ended = connecting.then(
        ({ topic }) => topic,
        (cause: { code: number }) => cause.code,
      )
      const { attemptId } = host.world.last('vault.makePairing').data
      await host.settle()
      const made = { attemptId, pairingTopic: 'pairing-1', publicKey: 'cd'.repeat(32) }
      host.world.answer('vault.makePairing', 'vault.pairingMade', made)
      if (end === 'left') host.world.command('connection.abandon', {})
      else host.rejoin()
      await host.settle()
      expect(host.heard('display_uri')).toEqual(end === 'left' ? [] : ['wc:pairing-1@2'])
      if (end === 'approved') {
        const one = {
          sessionTopic: 's',
          pairingTopic: 'pairing-1',
          settledAt: 0,
          expiresAt: 0,
          namespaces: {},
          chains: {},
        }
        host.world.model.session.s = one as never
      }
      host.rejoin()
      expect(await ended).toBe(end === 'left' ? 4001 : 's')
    }
  })

  test('ends an earlier attempt', async () => {
    const host = createHost()
    const first = host.provider.connect({ optionalNamespaces: {} })
    const failed = expect(first).rejects.toMatchObject({ code: 4001 })
    await host.connect(evm())
    await failed
  })

  test('is part of enable without a session, with the last options', async () => {
    const host = createHost()
    const optionalNamespaces = { eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] } }
    await host.connect(evm(), {}, { optionalNamespaces })
    await host.provider.disconnect()
    const enabled = host.provider.enable()
    expect(host.world.inputs.at(-1)).toMatchObject({
      type: 'connection.connectWalletConnect',
      data: { proposal: { optional: optionalNamespaces } },
    })
    const left = expect(enabled).rejects.toMatchObject({ code: 4001 })
    await host.settle()
    await host.abandon()
    await left
  })

  test('is no part of enable with a session; enable returns the addresses on the default chain', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:10'], ['personal_sign'], [holder, other]))
    expect(await host.provider.enable()).toEqual([holder, other])
  })
})

describe('a method approved by the wallet', () => {
  test('goes to the wallet, and its answer is the promise’s, with any JSON', async () => {
    const host = createHost()
    const topic = await host.connect(evm())
    for (const result of ['0x5a', null, { id: '0x1' }, [1]]) {
      const promise = host.provider.request(sign)
      await host.settle()
      expect(host.newest()).toMatchObject({ sessionTopic: topic, chainId: 'eip155:1', method: 'personal_sign' })
      expect(host.newest().params).toBe(JSON.stringify(sign.params))
      await host.answers(result)
      expect(await promise).toEqual(result)
    }
    expect(host.asked).toEqual([])
  })

  test('returns integers as the wallet has them: from 2^53 on as bigints, in errors, too', async () => {
    const host = createHost()
    const topic = await host.connect(evm())
    const promise = host.provider.request(sign)
    await host.settle()
    const answer = '{"nonce":9007199254740993,"small":7}'
    await host.says(topic, { kind: 'result', id: host.newest().requestId, answer })
    expect(await promise).toEqual({ nonce: 9_007_199_254_740_993n, small: 7 })
    const failed = expect(host.provider.request(sign)).rejects.toMatchObject({
      data: { needs: 18_446_744_073_709_551_615n },
    })
    await host.settle()
    const error = '{"code":3,"message":"no","data":{"needs":18446744073709551615}}'
    await host.says(topic, {
      kind: 'error',
      id: host.newest().requestId,
      error: { code: 3, message: '' },
      answer: error,
    })
    await failed
  })

  test('is told apart from one that has not reached the wallet yet', async () => {
    const host = createHost()
    await host.connect(evm())
    void host.provider.request(sign)
    await host.settle()
    const { requestId } = host.newest()
    const [sealing] = host.world.ordered('vault.seal').filter(effect => !effect.answered)
    host.world.input('vault.sealed', { callId: sealing?.data.callId ?? '', messageRef: 'm' }, { to: sealing?.id ?? '' })
    expect(host.heard('session_request_sent')).toEqual([])
    host.came(host.world.input('relay.taken', { callId: sealing?.data.callId ?? '' }))
    expect(host.heard('session_request_sent')).toMatchObject([{ id: requestId, request: { method: 'personal_sign' } }])
  })

  test('may take its expiry', async () => {
    const host = createHost()
    await host.connect(evm())
    void host.provider.request(sign, 'eip155:1', 1200.9)
    await host.settle()
    expect(host.newest().expiresAt - host.newest().sentAt).toBe(1_200_000)
  })

  test.each([
    [
      { code: 5000, message: 'User rejected.' },
      { name: 'UserRejectedRequestError', code: 5000, message: 'User rejected.' },
    ],
    [
      { code: 4001, message: 'No!', data: { a: 1 } },
      { name: 'UserRejectedRequestError', code: 4001, data: { a: 1 } },
    ],
    [
      { code: -32_000, message: 'insufficient funds' },
      { name: 'InvalidInputRpcError', message: 'insufficient funds' },
    ],
    [{}, { code: -32_000, message: 'the wallet refused the request without saying why' }],
    [{ message: 'User denied it' }, { code: 5000, message: 'User denied it' }],
    ['boom', { code: -32_000, message: 'boom' }],
    [{ code: 4200, message: 'no such' }, { name: 'UnsupportedProviderMethodError' }],
    [
      { code: 77, message: 'odd' },
      { name: 'ProviderRpcError', code: 77 },
    ],
  ])('refused with %j rejects with an Error of that code', async (error, expected) => {
    const host = createHost()
    await host.connect(evm())
    const promise = host.provider.request(sign)
    const rejected = expect(promise).rejects.toMatchObject(expected)
    await host.settle()
    await host.refuses(error)
    await rejected
    await expect(promise).rejects.toBeInstanceOf(Error)
  })

  test('refused by the checks rejects with their message and code', async () => {
    const host = createHost()
    await host.connect(evm())
    await expect(host.provider.request(sign, 'eip155:1', 10)).rejects.toMatchObject({
      code: 5,
      message: 'Missing or invalid. request() expiry: 10. Expiry must be a number (in seconds) between 300 and 604800',
    })
  })

  test('rejects with 6000 when the wallet ends the session, and with 6 at its expiry', async () => {
    const host = createHost()
    const topic = await host.connect(evm())
    const late = expect(host.provider.request(sign)).rejects.toMatchObject({
      code: 6,
      message: 'Request expired. Please try again.',
    })
    await host.settle()
    host.came(host.world.fire(`request:${host.newest().requestId}`))
    await late
    const left = expect(host.provider.request(sign)).rejects.toMatchObject({
      code: 6000,
      message: 'User disconnected.',
    })
    await host.settle()
    await host.says(topic, { kind: 'delete', id: '7' })
    await left
  })

  test('answered by another key rejects with a sentence', async () => {
    const host = createHost()
    await host.connect({ solana: { accounts: [`${caip2}:${account}`], methods: ['solana_signMessage'] } })
    const promise = host.provider.request({ method: 'solana_signMessage', params: { message: 'x', pubkey: account } })
    const rejected = expect(promise).rejects.toMatchObject({
      code: 4100,
      message: 'the wallet signed with another account than was asked for',
    })
    await host.settle()
    const { requestId: id, sessionTopic } = host.newest()
    await host.says(sessionTopic, { kind: 'result', id, otherSigner: true })
    await rejected
  })

  test('with a long stored answer returns it, or reports that it is gone', async () => {
    const host = createHost()
    await host.connect(evm())
    for (const [answerRef, check] of [
      ['kept', (promise: Promise<unknown>) => expect(promise).resolves.toBe('long')],
      ['gone', (promise: Promise<unknown>) => expect(promise).rejects.toMatchObject({ code: -32_603 })],
      ['lost', (promise: Promise<unknown>) => expect(promise).rejects.toMatchObject({ code: 4900 })],
    ] as const) {
      const checked = check(host.provider.request(sign))
      await host.settle()
      const { requestId: id, sessionTopic } = host.newest()
      await host.says(sessionTopic, { kind: 'result', id, answerRef })
      await checked
    }
  })

  test('answered after its end is announced as late, once, with its result', async () => {
    const host = createHost()
    await host.connect(evm())
    const declined = expect(host.provider.request(sign)).rejects.toMatchObject({ code: 5000 })
    await host.settle()
    await host.refuses({ code: 5000, message: '' })
    await declined
    await host.answers('0x5a')
    expect(host.heard('late_answer')).toMatchObject([{ method: 'personal_sign', late: true, result: '0x5a' }])
    const answered = host.provider.request(sign)
    await host.settle()
    await host.answers('0x6b')
    expect(await answered).toBe('0x6b')
    expect(await host.provider.answers()).toMatchObject([{ late: true, result: '0x5a' }])
  })

  test('refused beside sixty others rejects like each of them', async () => {
    const host = createHost()
    await host.connect(evm())
    const facts: FactRecord[] = []
    const { came } = host
    host.hold(facts)
    const all = Array.from({ length: 60 }, () =>
      host.provider.request(sign, 'eip155:1', 10).catch((cause: unknown) => cause),
    )
    await host.settle()
    host.hold(undefined)
    came({ facts })
    const ends = await Promise.all(all)
    expect(ends.map(end => (end as { code: number }).code)).toEqual(Array.from({ length: 60 }, () => 5))
  })

  test('with unknown delivery can be read when its answer comes, and is announced', async () => {
    const host = createHost()
    await host.connect(evm())
    host.doubt()
    await expect(host.provider.request(sign)).rejects.toMatchObject({ code: 4900 })
    await host.answers('0x5a')
    expect(host.heard('late_answer')).toMatchObject([{ method: 'personal_sign', late: false, result: '0x5a' }])
    expect(await host.provider.answers()).toMatchObject([{ late: false, result: '0x5a' }])
  })

  test('on an expired session rejects with the protocol’s words, and the session ends', async () => {
    const host = createHost()
    const topic = await host.connect(evm())
    host.world.wait(604_800_000)
    await expect(host.provider.request(sign)).rejects.toMatchObject({
      name: 'EXPIRED',
      code: 6,
      message: `Expired. session topic: ${topic}`,
    })
    expect(host.heard('session_expire')).toEqual([{ topic }])
  })

  test('answered after its page is gone is stored, and the next page can read it', async () => {
    const host = createHost()
    await host.connect(evm())
    void host.provider.request(sign)
    await host.settle()
    host.world.kill('start')
    const next = createHost({}, host.world, true, 'here', 't-2')
    await host.answers('0x5a')
    expect(await next.provider.answers()).toMatchObject([{ late: false, method: 'personal_sign', result: '0x5a' }])
    expect(next.heard('late_answer')).toEqual([])
  })

  test('ends when its log is erased meanwhile', async () => {
    const host = createHost()
    await host.connect(evm())
    const rejected = expect(host.provider.request(sign)).rejects.toThrow('Connection already closed')
    await host.settle()
    host.world.model.request = {}
    host.rejoin()
    await rejected
  })
})

describe('any other method', () => {
  test('is read from the host’s address, by chain or by reference, else from the platform', async () => {
    const rpcMap = { 'eip155:10': 'https://ten.example', '137': 'https://never.example' }
    const host = createHost({ rpcMap })
    await host.connect(evm(['eip155:1', 'eip155:10']))
    host.node(({ url }) => ({ result: url }))
    const read = (chain: string) => host.provider.request({ method: 'eth_blockNumber' }, chain)
    expect(await read('eip155:10')).toBe('https://ten.example')
    expect(await read('eip155:1')).toBe('https://rpc.example/v1/?chainId=eip155%3A1&projectId=p1')
    host.provider.setDefaultChain('eip155:8453', 'http://base.example')
    expect(await read('eip155:8453')).toBe('http://base.example')
    host.provider.setDefaultChain('eip155:8453', 'https://rpc.example/v1/?chainId=eip155:8453')
    expect(await read('eip155:8453')).toBe('https://rpc.example/v1/?chainId=eip155%3A8453&projectId=p1')
    expect(host.asked.every(({ params }) => JSON.stringify(params) === '[]')).toBe(true)
  })

  test('asks for a probe of its node when the host does', async () => {
    const pings = async (options: { ping?: boolean }) => {
      const host = createHost(options)
      await host.connect(evm())
      await host.provider.request({ method: 'eth_blockNumber' })
      return host.asked.map(({ ping }) => ping)
    }
    expect(await pings({ ping: true })).toEqual([true])
    expect(await pings({ ping: false })).toEqual([undefined])
    expect(await pings({})).toEqual([undefined])
  })

  test('rejects with the node’s own code, message and data', async () => {
    const host = createHost()
    await host.connect(evm())
    host.node(() => ({ error: { code: 3, message: 'execution reverted', data: '0x08' } }))
    await expect(host.provider.request({ method: 'eth_call', params: [{}] })).rejects.toMatchObject({
      code: 3,
      message: 'execution reverted',
      data: '0x08',
    })
  })

  test('rejects with a code when the worker dies before its answer, or params are no JSON', async () => {
    const host = createHost()
    await host.connect(evm())
    host.node(() => Promise.reject(new Error('the worker is gone')))
    const read = (params: unknown) => host.provider.request({ method: 'eth_call', params })
    await expect(read([])).rejects.toMatchObject({ code: 4900, message: 'Connection already closed' })
    await expect(read([1n])).rejects.toMatchObject({
      code: -32_602,
      message: 'request params expected JSON, got what JSON cannot hold',
    })
    expect(host.asked).toHaveLength(1)
  })

  test('approved without a proposal goes to the node, not to the wallet', async () => {
    const host = createHost()
    const asked = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] }
    await host.connect(
      evm(['eip155:1', 'eip155:10'], ['personal_sign', 'eth_call']),
      {},
      { optionalNamespaces: { eip155: asked } },
    )
    host.node(() => ({ result: '0x7' }))
    expect(await host.provider.request({ method: 'eth_call', params: [] })).toBe('0x7')
    await expect(host.provider.request(sign, 'eip155:10')).rejects.toMatchObject({
      code: 5,
      message: 'Missing or invalid. request() chainId: eip155:10',
    })
  })

  test.each(['getSignatureStatuses', 'sendTransaction', 'eth_sendRawTransaction', 'eth_signatures'])(
    'with a name like a signing one goes to the node: %s',
    async method => {
      const host = createHost()
      await host.connect(evm())
      host.node(() => ({ result: '0x7' }))
      expect(await host.provider.request({ method, params: ['0x01'] })).toBe('0x7')
    },
  )

  test.each(['solana', 'polkadot', 'bip122', 'cosmos', 'sui', 'stacks'])(
    'of %s goes to its own address, and an approved one to the wallet',
    async family => {
      const chain = `${family}:main`
      const host = createHost({ rpcMap: { [chain]: `https://${family}.example` } })
      // A presale's session needs a valid Solana address
      const accounts = family === 'solana' ? [`${chain}:${account}`] : [`${chain}:address`]
      await host.connect({ [family]: { accounts, methods: [`${family}_sign`] } })
      host.node(({ url }) => ({ result: url }))
      expect(await host.provider.request({ method: 'read' })).toBe(`https://${family}.example`)
      const asked = host.provider.request({ method: `${family}_sign`, params: {} })
      await host.settle()
      expect(host.newest()).toMatchObject({ chainId: chain, method: `${family}_sign`, params: '{}' })
      await host.answers({ signature: 'x' })
      expect(await asked).toEqual({ signature: 'x' })
    },
  )
})

describe('a node gets no call', () => {
  const rpcMap = { 'eip155:1': 'https://one.example', 'eip155:10': 'https://ten.example' }
  const send = { method: 'eth_sendTransaction', params: [{ from: holder, to: other, value: '0x1' }] }
  const refusal = { code: 5, message: 'Missing or invalid. request() chainId: eip155:10' }

  test.each([sign, send])('of $method on a chain its wallet did not approve', async call => {
    const host = createHost({ rpcMap })
    await host.connect(evm())
    await expect(host.provider.request(call, 'eip155:10')).rejects.toMatchObject(refusal)
    host.provider.setDefaultChain('eip155:10')
    await expect(host.provider.request(call)).rejects.toMatchObject(refusal)
    expect(host.asked).toEqual([])
    await host.provider.request({ method: 'eth_blockNumber' }, 'eip155:10')
    expect(host.asked).toMatchObject([{ url: rpcMap['eip155:10'], method: 'eth_blockNumber' }])
  })

  test('of a method approved with unproposed accounts', async () => {
    const host = createHost({ rpcMap })
    const cosmos = { accounts: ['cosmos:hub:cosmos1x'], methods: ['cosmos_signDirect'] }
    const optionalNamespaces = {
      eip155: { chains: ['eip155:1'], methods: ['eth_call'], events: [] },
      cosmos: { chains: ['cosmos:hub'], methods: cosmos.methods, events: [] },
    }
    await host.connect({ ...evm(['eip155:10'], ['eth_call']), cosmos }, {}, { optionalNamespaces })
    await expect(host.provider.request({ method: 'eth_call', params: [] }, 'eip155:10')).rejects.toMatchObject(refusal)
    expect(host.asked).toEqual([])
  })

  test('of a method approved elsewhere by one wallet and here by another: that one gets it', async () => {
    const host = createHost({ rpcMap })
    const here = await host.connect(evm(['eip155:10'], ['eth_sendTransaction'], [other]))
    host.world.wait(1000)
    await host.connect(evm())
    const sent = host.provider.request(send, 'eip155:10')
    await host.settle()
    expect(host.newest()).toMatchObject({ sessionTopic: here, chainId: 'eip155:10' })
    await host.answers('0x5a')
    expect(await sent).toBe('0x5a')
    await expect(host.provider.request(sign, 'eip155:10')).rejects.toMatchObject(refusal)
    expect(host.asked).toEqual([])
  })

  test.each([
    ['eip155', 'personal_sign'],
    ['eip155', 'eth_sign'],
    ['eip155', 'eth_signTypedData'],
    ['eip155', 'eth_signTypedData_v4'],
    ['eip155', 'eth_signTransaction'],
    ['eip155', 'eth_sendTransaction'],
    ['eip155', 'wallet_sendCalls'],
    ['solana', 'solana_signMessage'],
    ['solana', 'solana_signAllTransactions'],
    ['solana', 'solana_signAndSendTransaction'],
    ['polkadot', 'polkadot_signTransaction'],
    ['cosmos', 'cosmos_signAmino'],
    ['bip122', 'signPsbt'],
    ['bip122', 'sendTransfer'],
    ['sui', 'sui_signAndExecuteTransaction'],
    ['stacks', 'stx_transferStx'],
    ['tron', 'tron_signMessage'],
    ['ton', 'ton_sendMessage'],
  ])('of an unapproved signing method: %s %s', async (family, method) => {
    const chain = `${family}:1`
    const host = createHost({ rpcMap: { [chain]: 'https://one.example' } })
    const accounts = [`${chain}:${family === 'solana' ? account : holder}`]
    await host.connect({ [family]: { accounts, methods: ['other'] } })
    await expect(host.provider.request({ method, params: {} }, chain)).rejects.toMatchObject({
      code: 5,
      message: `Missing or invalid. request() method: ${method}`,
    })
    expect(host.asked).toEqual([])
  })
})

describe('several wallets', () => {
  test('each get the methods they approved, and one session ends without the other', async () => {
    const host = createHost()
    const [first, second] = [
      await host.connect(evm()),
      await host.connect({ cosmos: { accounts: ['cosmos:hub:cosmos1x'], methods: ['cosmos_signDirect'] } }),
    ]
    expect(host.provider.sessions.map(({ topic }) => topic)).toEqual([second, first])
    void host.provider.request(sign, 'eip155:1')
    await host.settle()
    expect(host.newest().sessionTopic).toBe(first)
    void host.provider.request({ method: 'cosmos_signDirect' }, 'cosmos:hub').catch(() => undefined)
    await host.settle()
    expect(host.newest().sessionTopic).toBe(second)
    await host.provider.disconnect('cosmos')
    expect(host.provider.sessions.map(({ topic }) => topic)).toEqual([first])
    await host.answers('0x5a')
    expect(host.heard('disconnect')).toEqual([])
  })

  test.each<[string, unknown, number]>([
    ['personal_sign', ['0x00', holder], 0],
    ['personal_sign', ['0x00', other], 1],
    ['personal_sign', ['0x00', `0x${'AB'.repeat(20)}`], 0],
    ['personal_sign', [holder], 1],
    ['eth_signTypedData_v4', [holder, '{}'], 0],
    ['eth_sendTransaction', [{ from: holder, to: other }], 0],
    ['eth_sendTransaction', [{ from: other, to: holder }], 1],
    ['eth_sendTransaction', [{ to: holder }], 1],
    ['wallet_sendCalls', [{ from: holder, calls: [] }], 0],
    ['eth_accountsOf', { address: holder }, 0],
    ['eth_accountsOf', null, 1],
  ])('on one chain each get requests for their own accounts: %s %j', async (method, params, which) => {
    const host = createHost()
    const methods = [
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'wallet_sendCalls',
      'eth_accountsOf',
    ]
    const first = await host.connect(evm(['eip155:1'], methods, [holder]))
    host.world.wait(1000)
    const second = await host.connect(evm(['eip155:1'], methods, [other]))
    void host.provider.request({ method, params })
    await host.settle()
    expect(host.newest().sessionTopic).toBe([first, second][which])
  })

  test('get status calls where the calls were sent', async () => {
    const host = createHost()
    const methods = ['wallet_sendCalls', 'wallet_getCallsStatus']
    const first = await host.connect(evm(['eip155:1'], methods, [holder]))
    host.world.wait(1000)
    await host.connect(evm(['eip155:1'], methods, [other]))
    const sent = host.provider.request({ method: 'wallet_sendCalls', params: [{ from: holder }] })
    await host.settle()
    await host.answers('0xid')
    await sent
    for (const page of [host, createHost({}, host.world, true, 'here', 't-2')]) {
      void page.provider.request({ method: 'wallet_getCallsStatus', params: ['0xid'] }).catch(() => undefined)
      await page.settle()
      expect(page.newest()).toMatchObject({ method: 'wallet_getCallsStatus', sessionTopic: first })
    }
  })

  test('are told apart by topic when one ends, and the other stays', async () => {
    const host = createHost()
    const [first, second] = [await host.connect(evm()), await host.connect(evm(['eip155:10']))]
    await host.says(first, { kind: 'delete', id: '7' })
    expect(host.heard('session_delete')).toEqual([{ topic: first }])
    expect(host.heard('disconnect')).toMatchObject([{ code: 6000, message: 'User disconnected.', data: first }])
    expect(host.provider.session?.topic).toBe(second)
  })

  test('with one shared session can each leave one family of it', async () => {
    const host = createHost()
    const cosmos = { accounts: ['cosmos:hub:cosmos1x'], methods: ['cosmos_signDirect'] }
    const topic = await host.connect({ ...evm(), cosmos })
    await host.provider.disconnect('eip155')
    expect(Object.keys(host.provider.session?.namespaces ?? {})).toEqual(['cosmos'])
    expect(host.provider.session?.topic).toBe(topic)
    await expect(host.provider.request(sign, 'eip155:1')).rejects.toThrow("Namespace 'eip155' is not configured")
  })

  describe('of which one is left by its topic', () => {
    const signBy = (address: string) => ({ method: 'personal_sign', params: ['0x00', address] })
    const cosmos = { accounts: ['cosmos:hub:cosmos1x'], methods: ['cosmos_signDirect'] }
    /** Two wallets on one chain; the second is newer and has another chain, too. */
    async function both() {
      const host = createHost()
      const first = await host.connect({ ...evm(), cosmos })
      host.world.wait(1000)
      const second = await host.connect(evm(['eip155:1', 'eip155:10'], undefined, [other]))
      host.events.length = 0
      return { host, first, second }
    }
    const told = (host: Host) =>
      host.world
        .ordered('vault.seal')
        .flatMap(({ data }) =>
          'method' in data.payload && data.payload.method === 'wc_sessionDelete' ? [data.topic] : [],
        )

    test.each(['first', 'second'] as const)('the %s is announced, the other continues to answer', async which => {
      const { host, ...topics } = await both()
      const [gone, stays] = which === 'first' ? [topics.first, topics.second] : [topics.second, topics.first]
      const [goneAddress, address] = which === 'first' ? [holder, other] : [other, holder]
      const open = host.provider.request(signBy(address))
      const lost = expect(host.provider.request(signBy(goneAddress))).rejects.toMatchObject({ code: 6000 })
      await host.settle()
      const asked = Object.values(host.world.model.request).find(({ sessionTopic }) => sessionTopic === stays)
      await host.provider.disconnect({ topic: gone })
      await lost
      expect(told(host)).toEqual([gone])
      expect(host.provider.sessions.map(({ topic }) => topic)).toEqual([stays])
      await host.says(stays, { kind: 'result', id: asked?.requestId ?? '', answer: '"0x5a"' })
      expect(await open).toBe('0x5a')
      const later = host.provider.request(signBy(address))
      await host.settle()
      expect(host.newest().sessionTopic).toBe(stays)
      await host.answers('0x6b')
      expect(await later).toBe('0x6b')
    })

    test('hosts hear the remaining addresses, but no end; of another’s end they hear as before', async () => {
      const { host, first, second } = await both()
      const beside = createHost({}, host.world, true, 'here', 't-2')
      const before = host.world.facts.length
      await host.provider.disconnect({ topic: second })
      expect(host.events).toEqual([['accountsChanged', [holder]]])
      beside.came({ facts: host.world.facts.slice(before) })
      expect(beside.heard('disconnect')).toMatchObject([{ code: 6000, data: second }])
      await host.says(first, { kind: 'delete', id: '7' })
      expect(host.heard('session_delete')).toEqual([{ topic: first }])
      expect(host.heard('disconnect')).toMatchObject([{ code: 6000, data: first }])
    })

    test('hosts hear of another default chain when the default chain’s session ends', async () => {
      const { host, second } = await both()
      host.provider.setDefaultChain('eip155:10')
      host.events.length = 0
      await host.provider.disconnect({ topic: second })
      expect(host.events).toEqual([
        ['chainChanged', '0x1'],
        ['accountsChanged', [holder]],
      ])
    })

    test('one family of it may be left, and its others stay', async () => {
      const { host, first, second } = await both()
      await host.provider.disconnect({ topic: first, family: 'eip155' })
      expect(host.provider.sessions.map(({ topic, namespaces }) => [topic, Object.keys(namespaces)])).toEqual([
        [second, ['eip155']],
        [first, ['cosmos']],
      ])
      expect(told(host)).toEqual([])
      expect(host.events).toEqual([['accountsChanged', [other]]])
      await host.provider.disconnect({ topic: first, family: 'cosmos' })
      expect(told(host)).toEqual([first])
      expect(host.provider.sessions.map(({ topic }) => topic)).toEqual([second])
      expect(host.heard('disconnect')).toEqual([])
    })

    test('a read under way is answered, unless no session has the family any more', async () => {
      const { host, first, second } = await both()
      const ended = (topic: string) =>
        host.node(async () => {
          await host.provider.disconnect({ topic })
          return { result: '0x10' }
        })
      ended(first)
      expect(await host.provider.request({ method: 'eth_blockNumber' }, 'eip155:1')).toBe('0x10')
      ended(second)
      await expect(host.provider.request({ method: 'eth_blockNumber' }, 'eip155:1')).rejects.toMatchObject({
        code: 4900,
        message: 'Connection already closed',
      })
    })

    test.each<[{ topic: string; family?: string }, object]>([
      [{ topic: 'nobody' }, { code: 2, message: "No matching key. session or pairing topic doesn't exist: nobody" }],
      [{ topic: 'constructor' }, { code: 2 }],
      [{} as never, { code: 2, message: "No matching key. session or pairing topic doesn't exist: undefined" }],
      [null as never, { code: 5 }],
      [
        { topic: 'session-2', family: 'cosmos' },
        { code: 5, message: expect.stringContaining("'cosmos'") as string },
      ],
    ])('and %j is refused: both stay', async (what, expected) => {
      const { host, first, second } = await both()
      await expect(host.provider.disconnect(what)).rejects.toMatchObject(expected)
      expect(host.provider.sessions.map(({ topic }) => topic)).toEqual([second, first])
      expect([told(host), host.events]).toEqual([[], []])
    })
  })

  test('all end by one call, which reaches the wallets alone', async () => {
    const host = createHost()
    await host.connect(evm())
    await host.connect(evm(['eip155:10']))
    await host.provider.disconnect()
    expect(host.provider.session).toBeUndefined()
    expect(host.heard('disconnect')).toEqual([])
    expect(Object.keys(host.world.model.session)).toEqual([])
  })
})

describe('an event of a wallet', () => {
  const at = (host: ReturnType<typeof createHost>, ms: number) => `${host.world.at + ms}001`
  const events = ['accountsChanged', 'chainChanged']

  test('is emitted raw, and as accounts and chains', async () => {
    const host = createHost()
    const { eip155 } = evm(['eip155:1', 'eip155:137'])
    const topic = await host.connect({ eip155: { ...eip155, events } })
    const said = { kind: 'event', chainId: 'eip155:1' } as const
    const data = JSON.stringify([`eip155:1:${other}`])
    await host.says(topic, { ...said, id: at(host, 1), event: 'accountsChanged', accounts: [other], data })
    expect(host.heard('accountsChanged')).toEqual([[other]])
    await host.says(topic, { ...said, id: at(host, 2), event: 'chainChanged', data: '137', chain: 'eip155:137' })
    expect(host.heard('chainChanged')).toEqual(['0x89'])
    expect(host.heard('accountsChanged')).toEqual([[other], [holder]])
    expect(host.heard('session_event')).toEqual([
      { topic, params: { event: { name: 'accountsChanged', data: [`eip155:1:${other}`] }, chainId: 'eip155:1' } },
      { topic, params: { event: { name: 'chainChanged', data: 137 }, chainId: 'eip155:1' } },
    ])
    expect(await host.provider.request({ method: 'eth_chainId' })).toBe('0x89')
  })

  test('replaces the session’s accounts: withdrawn ones are gone', async () => {
    const host = createHost()
    const topic = await host.connect({ eip155: { ...evm(undefined, undefined, [holder, other]).eip155, events } })
    const namespaces = { eip155: { accounts: [`eip155:1:${other}`], methods: ['personal_sign'], events } }
    await host.says(topic, { kind: 'update', id: at(host, 1), namespaces })
    expect(host.heard('session_update')).toMatchObject([{ topic, params: { namespaces } }])
    expect(host.heard('accountsChanged')).toEqual([[other]])
    expect(await host.provider.request({ method: 'eth_accounts' })).toEqual([other])
  })

  test('ends the session by time, too', async () => {
    const host = createHost()
    const topic = await host.connect(evm())
    host.came(host.world.fire(`session:${topic}`))
    expect(host.heard('session_expire')).toEqual([{ topic }])
    expect(host.heard('disconnect')).toHaveLength(1)
  })
})

test('provider: the default chain is set for this provider alone, and announced with its addresses on a change', async () => {
  const host = createHost({ defaultChains: { eip155: 'eip155:10' } })
  host.provider.setDefaultChain('eip155:137')
  expect(host.events).toEqual([])
  await host.connect(evm(['eip155:1', 'eip155:10']))
  expect(await host.provider.request({ method: 'eth_chainId' })).toBe('0xa')
  host.provider.setDefaultChain('eip155:1')
  host.provider.setDefaultChain('eip155:1')
  host.provider.setDefaultChain('eip155:137')
  expect(host.heard('chainChanged')).toEqual(['0x1', '0x1', '0x89'])
  expect(host.heard('accountsChanged')).toEqual([[holder], []])
  expect(() => host.provider.setDefaultChain('sui:main')).toThrow("Namespace 'sui' is not configured")
  expect(Object.values(host.world.model.request)).toEqual([])
})
