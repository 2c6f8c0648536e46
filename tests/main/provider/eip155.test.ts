import { describe, expect, test } from 'vitest'
import { createHost, evm, type Host, holder, other } from './host.ts'

const request = (host: Host, method: string, ...params: unknown[]) => host.provider.request({ method, params })
/** Awaits a request, and answers its calls to the wallet meanwhile. */
async function answering(host: Host, promise: Promise<unknown>, ...answers: (['ok', unknown] | ['error', unknown])[]) {
  const caught = promise.catch((cause: unknown) => cause)
  for (const [how, what] of answers) {
    await host.settle()
    await (how === 'ok' ? host.answers(what) : host.refuses(what))
  }
  return caught
}
const askedOfWallet = (host: Host) =>
  Object.values(host.world.model.request).map(({ method, chainId }) => `${method} ${chainId}`)

describe('methods answered without a wallet', () => {
  test('give the accounts on the default chain, or on the named one', async () => {
    const host = createHost()
    await host.connect({
      eip155: {
        accounts: [`eip155:1:${holder}`, `eip155:10:${other}`, `eip155:1:${holder}`],
        methods: ['personal_sign'],
      },
    })
    expect(await request(host, 'eth_accounts')).toEqual([holder])
    expect(await request(host, 'eth_requestAccounts')).toEqual([holder])
    expect(await host.provider.request({ method: 'eth_accounts' }, 'eip155:10')).toEqual([other])
    expect([askedOfWallet(host), host.asked]).toEqual([[], []])
  })

  test('give the chain’s id, in hex as the standard has it', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:137']))
    expect(await request(host, 'eth_chainId')).toBe('0x89')
  })
})

describe('switching the chain', () => {
  const methods = ['wallet_switchEthereumChain', 'wallet_addEthereumChain']
  const network = {
    chainName: 'Five',
    nativeCurrency: { name: 'Five', symbol: 'FIV', decimals: 18 },
    rpcUrls: ['https://five.example'],
  }

  test.each(['0x89', '137', 137])('to an approved one (%j) happens here', async chainId => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:137']))
    expect(await request(host, 'wallet_switchEthereumChain', { chainId })).toBeNull()
    expect(host.heard('chainChanged')).toEqual(['0x89'])
    expect(await request(host, 'eth_chainId')).toBe('0x89')
    expect(askedOfWallet(host)).toEqual([])
  })

  test('to another one asks the wallet on its first chain, where it may be asked', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:137'], methods))
    expect(
      await answering(host, request(host, 'wallet_switchEthereumChain', { chainId: '0x5' }), ['ok', null]),
    ).toBeNull()
    expect(askedOfWallet(host)).toEqual(['wallet_switchEthereumChain eip155:1'])
    expect(await request(host, 'eth_chainId')).toBe('0x5')
  })

  test('fails in the official words where the wallet may not be asked', async () => {
    const host = createHost()
    await host.connect(evm())
    await expect(request(host, 'wallet_switchEthereumChain', { chainId: '0x5' })).rejects.toMatchObject({
      code: 4902,
      message:
        "Failed to switch to chain 'eip155:5'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.",
    })
  })

  test.each([4902, 32_603, -32_603, 5000])('refused with %i adds the chain and asks again', async code => {
    const host = createHost({ networks: { 'eip155:5': network } })
    await host.connect(evm(['eip155:1'], methods))
    const switching = request(host, 'wallet_switchEthereumChain', { chainId: '0x5' })
    const end = await answering(host, switching, ['error', { code, message: 'no' }], ['ok', null], ['ok', null])
    expect(end).toBeNull()
    expect(askedOfWallet(host).map(line => line.split(' ')[0])).toEqual([methods[0], methods[1], methods[0]])
    const added = Object.values(host.world.facts).filter(({ type }) => type === 'request.sent')[1]
    expect(JSON.parse(String(added?.data.params))).toEqual([{ chainId: '0x5', ...network }])
  })

  test('with another code, or to an undescribed chain, stays refused', async () => {
    const host = createHost({ networks: { 'eip155:5': network } })
    await host.connect(evm(['eip155:1'], methods))
    const refusal = { code: 4001, message: 'no' }
    const refused = request(host, 'wallet_switchEthereumChain', { chainId: '0x5' })
    expect(await answering(host, refused, ['error', refusal])).toMatchObject({ code: 4001 })
    const unknown = request(host, 'wallet_switchEthereumChain', { chainId: '0x6' })
    expect(await answering(host, unknown, ['error', { code: 4902, message: 'no' }])).toMatchObject({ code: 4902 })
    expect(askedOfWallet(host)).toEqual(['wallet_switchEthereumChain eip155:1', 'wallet_switchEthereumChain eip155:1'])
    expect(await request(host, 'eth_chainId')).toBe('0x1')
  })

  test.each([[], [{}], [{ chainId: 'x' }], [{ chainId: '0x0' }]])('to nowhere (%j) is refused', async (...params) => {
    const host = createHost()
    await host.connect(evm())
    await expect(request(host, 'wallet_switchEthereumChain', ...params)).rejects.toMatchObject({ code: -32_602 })
  })
})

describe('capabilities of a wallet', () => {
  const atomic = { status: 'supported' }

  test('are read from its session: for every chain, over one chain, over one account on it', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:10']), {
      sessionProperties: { atomic: JSON.stringify(atomic), 'flow-control': '{"loose":[]}', bundler_name: 'x' },
      scopedProperties: {
        'eip155:1': JSON.stringify({
          atomic: { status: 'ready' },
          [`eip155:1:${holder}`]: { paymasterService: { supported: true } },
        }),
      },
    })
    expect(await request(host, 'wallet_getCapabilities', holder, ['0x1', '0xa'])).toEqual({
      '0x1': { atomic: { status: 'ready' }, 'flow-control': { loose: [] }, paymasterService: { supported: true } },
      '0xa': { atomic, 'flow-control': { loose: [] } },
    })
    expect(await request(host, 'wallet_getCapabilities', holder)).toHaveProperty('0x1')
    expect(askedOfWallet(host)).toEqual([])
  })

  test('are read from the older property with whole answers', async () => {
    const host = createHost()
    await host.connect(evm(), {
      sessionProperties: { capabilities: JSON.stringify({ [`${holder}0x1,0xa`]: { '0x1': { atomic } } }) },
    })
    expect(await request(host, 'wallet_getCapabilities', holder, ['0x1', '0xa'])).toEqual({ '0x1': { atomic } })
  })

  test.each([[[]], [[[]]]])('are read there by the address alone where no chain is listed (%j)', async more => {
    const host = createHost()
    const whole = { '0x1': { atomic }, '0xa': { atomic } }
    await host.connect(evm(['eip155:1', 'eip155:10'], ['wallet_getCapabilities']), {
      sessionProperties: { capabilities: JSON.stringify({ [holder]: whole, [`${holder}0x1`]: { '0x1': { atomic } } }) },
    })
    expect(await request(host, 'wallet_getCapabilities', holder, ...more)).toEqual(whole)
    expect(await request(host, 'wallet_getCapabilities', holder, ['0x1'])).toEqual({ '0x1': { atomic } })
    expect([askedOfWallet(host), host.asked]).toEqual([[], []])
  })

  test('of all its chains are requested once, for any chain', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1', 'eip155:10'], ['wallet_getCapabilities']))
    const said = { '0x1': { atomic }, '0xa': { atomic } }
    expect(await answering(host, request(host, 'wallet_getCapabilities', holder), ['ok', said])).toEqual(said)
    host.provider.setDefaultChain('eip155:10')
    expect(await request(host, 'wallet_getCapabilities', holder)).toEqual(said)
    const listed = request(host, 'wallet_getCapabilities', holder, ['0x1'])
    expect(await answering(host, listed, ['ok', { '0x1': { atomic } }])).toEqual({ '0x1': { atomic } })
    expect(askedOfWallet(host)).toHaveLength(2)
  })

  test('are otherwise requested once for each account and its chains', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1'], ['wallet_getCapabilities']))
    const said = { '0x1': { atomic } }
    expect(await answering(host, request(host, 'wallet_getCapabilities', holder, ['0x1']), ['ok', said])).toEqual(said)
    expect(await request(host, 'wallet_getCapabilities', holder, ['0x1'])).toEqual(said)
    expect(await answering(host, request(host, 'wallet_getCapabilities', other, ['0x1']), ['ok', {}])).toEqual({})
    expect(askedOfWallet(host)).toHaveLength(2)
  })

  test.each([[], [''], [7]])('need an address, got %j', async (...params) => {
    const host = createHost()
    await host.connect(evm())
    await expect(request(host, 'wallet_getCapabilities', ...params)).rejects.toMatchObject({
      code: -32_602,
      message: 'Missing address parameter in `wallet_getCapabilities` request',
    })
  })
})

describe('calls sent together', () => {
  const methods = ['wallet_sendCalls', 'wallet_getCallsStatus']
  const sent = async (host: Host, chain: string, result: unknown) => {
    const sending = host.provider.request({ method: 'wallet_sendCalls', params: [{}] }, chain)
    expect(await answering(host, sending, ['ok', result])).toEqual(result)
  }

  test.each([['0xid'], [{ id: '0xid', capabilities: {} }]])(
    'as %j have their status read on the chain they were sent on, for a day, after a reload too',
    async result => {
      const host = createHost()
      await host.connect(evm(['eip155:1', 'eip155:10'], methods))
      await sent(host, 'eip155:10', result)
      const status = { status: 200 }
      for (const page of [host, createHost({}, host.world)]) {
        const asking = page.provider.request({ method: 'wallet_getCallsStatus', params: ['0xid'] }, 'eip155:1')
        expect(await answering(page, asking, ['ok', status])).toEqual(status)
        expect(page.newest().chainId).toBe('eip155:10')
      }
      host.world.wait(86_400_001)
      const later = host.provider.request({ method: 'wallet_getCallsStatus', params: ['0xid'] }, 'eip155:1')
      await answering(host, later, ['ok', status])
      expect(host.newest().chainId).toBe('eip155:1')
    },
  )

  test('have their status read from the session’s bundler, whose whole answer is returned', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1'], ['personal_sign']), { sessionProperties: { bundler_name: 'pimlico' } })
    host.node(() => ({ result: { success: true } }))
    expect(await request(host, 'wallet_getCallsStatus', '0xid')).toEqual({
      id: 1,
      jsonrpc: '2.0',
      result: { success: true },
    })
    expect(host.asked).toEqual([
      {
        url: 'https://rpc.example/v1/bundler?chainId=eip155%3A1&bundler=pimlico&projectId=p1',
        method: 'eth_getUserOperationReceipt',
        params: ['0xid'],
      },
    ])
  })

  test('have their status read from the session’s own bundler next, and from the wallet last', async () => {
    const host = createHost()
    const sessionProperties = { bundler_name: 'pimlico', bundler_url: 'https://bundler.example' }
    await host.connect(evm(['eip155:1'], methods), { sessionProperties })
    host.node(() => ({ error: { code: 4901, message: 'no', data: { status: 503 } } }))
    const asking = request(host, 'wallet_getCallsStatus', '0xid')
    expect(await answering(host, asking, ['ok', { status: 100 }])).toEqual({ status: 100 })
    expect(host.asked.map(({ url }) => new URL(url).host)).toEqual(['rpc.example', 'bundler.example'])
  })

  test('have no status where neither may be asked; the bundler’s error is included', async () => {
    const host = createHost()
    await host.connect(evm(['eip155:1'], ['personal_sign']), { sessionProperties: { bundler_name: 'pimlico' } })
    host.node(() => ({ error: { code: 4901, message: 'no', data: { status: 503 } } }))
    await expect(request(host, 'wallet_getCallsStatus', '0xid')).rejects.toMatchObject({
      message: 'Fetching call status not approved by the wallet.',
      data: 'Failed to fetch user operation receipt - 503',
    })
  })
})
