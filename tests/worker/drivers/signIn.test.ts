import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, test } from 'vitest'
import { inputDefinitions } from '../../../src/events/input.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import { createCurves } from '../../../src/worker/drivers/walletconnect/curves.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { createContractAsker } from '../../../src/worker/drivers/walletconnect/contractAsker.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { contractCall, readStatements } from '../../../src/worker/drivers/walletconnect/statements.ts'
import { createVault } from '../../../src/worker/drivers/walletconnect/vault.ts'
import { hashMessage, topicOf } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromHex } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../src/runtime/hex.ts'
import { sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { messageOf, readCacao } from '../../../src/worker/walletconnect/auth/cacao.ts'
import { padHex, personalHash } from '../../../src/worker/walletconnect/auth/ethereum.ts'
import { deriveSymKey, keyPairFrom } from '../walletconnect/agreement.ts'
import { recordedCacaos } from '../walletconnect/recordedCacaos.ts'

async function vaultWithAuth() {
  const keys = memoryKeys()
  const vault = createVault({ keys, bytes: memoryBytes(), agree: createCurves().agree })
  const answers: Answer[] = []
  const run = (type: keyof typeof vault.drivers, data: Record<string, unknown>) =>
    vault.drivers[type]({ id: 'e1', data }, input => void answers.push(input))
  await run('vault.makeAuth', { authId: 'auth-1', expiresAt: 1_800_000_300_000 })
  const { pairingTopic, responseTopic, publicKey } = (answers[0]?.data ?? {}) as Record<string, string>
  return { vault, keys, answers, run, pairingTopic, responseTopic, publicKey } as const
}

describe('the vault', () => {
  test('makes a code that begins with one-click auth, and a separate topic for the answer', async () => {
    const { vault, pairingTopic = '', responseTopic, publicKey = '' } = await vaultWithAuth()
    expect(responseTopic).toBe(topicOf(fromHex(publicKey)))
    expect(await vault.pairingUri(pairingTopic)).toMatch(
      new RegExp(
        `^wc:${pairingTopic}@2\\?expiryTimestamp=1800000300&methods=wc_sessionAuthenticate&relay-protocol=irn&symKey=`,
      ),
    )
    expect(await vault.pairingUri(responseTopic ?? '')).toBeUndefined()
  })

  test('opens an answer of type 1 with the key of its topic, and derives the session from the same key', async () => {
    const { vault, run, answers, responseTopic = '', publicKey = '' } = await vaultWithAuth()
    const wallet = keyPairFrom(new Uint8Array(32).fill(7))
    const symKey = deriveSymKey(wallet.privateKey, fromHex(publicKey))
    const sealed = { text: '{"id":1}', symKey, iv: new Uint8Array(12), senderPublicKey: wallet.publicKey }
    expect(await vault.openEnvelope(responseTopic, sealEnvelope(sealed))).toBe('{"id":1}')
    await expect(
      vault.openEnvelope(responseTopic, sealEnvelope({ text: '{}', symKey, iv: new Uint8Array(12) })),
    ).rejects.toThrow('expected type 1 on this topic, got type 0')
    await run('vault.deriveSession', { pairingTopic: responseTopic, publicKey, responderKey: toHex(wallet.publicKey) })
    expect(answers.at(-1)?.data).toEqual({ pairingTopic: responseTopic, sessionTopic: topicOf(symKey) })
  })

  test('seals the request for the code’s topic, and stores nothing readable', async () => {
    const { vault, keys, run, answers, pairingTopic = '', publicKey } = await vaultWithAuth()
    const asked = {
      chains: ['eip155:1'],
      domain: 'd',
      uri: 'https://d',
      nonce: 'secret-nonce',
      methods: ['personal_sign'],
    }
    const metadata = { name: 'D', description: '', url: 'https://d', icons: [] }
    const payload = {
      method: 'wc_sessionAuthenticate',
      id: '17',
      publicKey,
      metadata,
      asked,
      issuedAt: 0,
      expiryTimestamp: 1,
    }
    await run('vault.seal', { callId: 'c', topic: pairingTopic, payload })
    const envelope = (await vault.sealedMessage(String(answers.at(-1)?.data.messageRef))) ?? ''
    const text = (await vault.openEnvelope(pairingTopic, envelope)) ?? ''
    expect(JSON.parse(text)).toMatchObject({
      id: 17,
      params: { authPayload: { nonce: 'secret-nonce', iat: '1970-01-01T00:00:00.000Z' } },
    })
    // The verify service knows the message by the hash of its exact text
    expect(vault.textHash(String(answers.at(-1)?.data.messageRef))).toBe(hashMessage(text))
    for (const name of await keys.names())
      expect(JSON.stringify(await keys.get(name))).not.toMatch(/secret-nonce|privateKey|symKey/)
  })
})

describe('signed statements', () => {
  test('are read with their signatures verified', () => {
    const { signed = [] } = readStatements(recordedCacaos())
    expect(signed.map(({ chain, verdict, methods }) => [chain, verdict, methods])).toEqual([
      ['eip155:1', 'valid', ['eth_sendTransaction', 'personal_sign']],
      ['eip155:137', 'valid', ['eth_sendTransaction', 'personal_sign']],
    ])
    expect(JSON.parse(signed[0]?.cacao ?? '')).toEqual(recordedCacaos()[0])
  })

  test('with another signature are told from valid ones, and unreadable ones name the fault', () => {
    const [other] = recordedCacaos()
    other!.s.s = `0x${toHex(secp256k1.sign(new Uint8Array(32).fill(3), new Uint8Array(32).fill(9), { prehash: false }))}1b`
    expect(readStatements([other]).signed?.[0]?.verdict).toBe('invalid')
    const [short] = recordedCacaos()
    short!.s.s = '0x00'
    expect(readStatements([short]).signed?.[0]?.verdict).toBe('invalid')
    expect(readStatements('all mine').problem).toContain('1 to 100 signed statements')
  })
})

describe('a signed statement beyond the limits of the core', () => {
  const recap = (method: string) => {
    const att = { eip155: { [`request/${method}`]: [{}] } }
    return [`urn:recap:${Buffer.from(JSON.stringify({ att })).toString('base64')}`]
  }
  const large: [string, Record<string, unknown>, string][] = [
    ['a domain of 5000 characters', { domain: 'd'.repeat(5000) }, 'domain'],
    ['a nonce of 4097 characters', { nonce: 'n'.repeat(4097) }, 'nonce'],
    ['an ability for no method', { resources: recap('') }, 'methods.0'],
    ['a method of 300 characters', { resources: recap('m'.repeat(300)) }, 'methods.0'],
    ['20 resources of 5 kB', { resources: Array.from({ length: 20 }, () => 'r'.repeat(5000)) }, 'cacao'],
  ]
  test.each(large)('for %s is refused, and names the reason', (_what, changes, name) => {
    const [cacao] = recordedCacaos()
    Object.assign(cacao!.p, changes)
    const { signed, problem = '' } = readStatements([cacao])
    expect(signed).toBeUndefined()
    expect(problem).toContain(`a signed statement: ${name} expected`)
    const payload = { kind: 'result', id: '1', problem }
    const message = { pushId: '1', topic: 't', hash: 'h', publishedAt: 0, tag: 1117, payload }
    expect(misfit(inputDefinitions['relay.message'], message)).toBeUndefined()
  })
})

describe('a contract account', () => {
  const contract = () => {
    const [cacao] = recordedCacaos()
    cacao!.s = { t: 'eip1271', s: `0x${'ab'.repeat(67)}` }
    return JSON.stringify(cacao)
  }
  async function ask(body: unknown, rpcUrls: Record<string, string> = { 'eip155:1': 'https://rpc.example/key' }) {
    const asked: { url: string; body: string }[] = []
    const fetch = (async (url: string, init: RequestInit) => {
      asked.push({ url, body: String(init.body) })
      return new Response(JSON.stringify(body))
    }) as unknown as typeof globalThis.fetch
    const asker = createContractAsker({ http: createHttp({ fetch, wait: async () => undefined }), rpcUrls })
    const answers: Answer[] = []
    const data = { authId: 'auth-1', place: 2, chain: 'eip155:1', cacao: contract() }
    await asker['auth.askContract']({ id: 'e1', data }, input => void answers.push(input))
    return { asked, answer: answers[0] }
  }

  test('has unknown verdicts before its call', () => {
    expect(readStatements([JSON.parse(contract())]).signed?.[0]?.verdict).toBe('contract')
  })

  test('is called as in the standard: hash, offset, length and the padded signature', () => {
    const { to, data } = contractCall(contract())
    const hash = toHex(personalHash(messageOf(readCacao(JSON.parse(contract())))))
    expect(to).toBe('0x2c7536E3605D9C16a7a3D7b1898e529396a65c23')
    const words = data.slice(10).match(/.{64}/g) ?? []
    expect(data.slice(0, 10)).toBe('0x1626ba7e')
    expect(words.slice(0, 3)).toEqual([hash, `${'0'.repeat(62)}40`, `${'0'.repeat(62)}43`])
    expect(words.slice(3).join('')).toBe('ab'.repeat(67).padEnd(192, '0'))
    expect(data.length).toBe(10 + 64 * 6)
  })

  test('pads words, and cuts nothing off: a longer one is refused by its size', () => {
    expect(padHex('40')).toBe(`${'0'.repeat(62)}40`)
    expect(padHex('abc', 2)).toBe('0abc')
    expect(padHex('ab', 2, 'right')).toBe('ab00')
    expect(padHex('ab'.repeat(32))).toBe('ab'.repeat(32))
    expect(() => padHex('ab'.repeat(33))).toThrow('padded hex expected at most 32 bytes, got 33')
    expect(() => padHex('abc', 1, 'right')).toThrow('padded hex expected at most 1 bytes, got 2')
  })

  test.each([
    ['the magic value', { result: `0x1626ba7e${'0'.repeat(56)}` }, true],
    ['another value', { result: `0xffffffff${'0'.repeat(56)}` }, false],
    ['nothing, as where there is no contract', { result: '0x' }, false],
    ['a revert', { error: { code: 3, message: 'execution reverted' } }, false],
  ])('that answers %s is believed', async (_what, body, isSigned) => {
    const { answer, asked } = await ask(body)
    expect(answer).toEqual({ type: 'auth.contractAsked', data: { authId: 'auth-1', place: 2, isSigned } })
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ method: 'eth_call', params: [{}, 'latest'] })
  })

  test('with a failing node has no verdict', async () => {
    const { answer } = await ask({ error: { code: -32000, message: 'header not found' } })
    expect(answer).toMatchObject({ type: 'effect.failed', data: { failure: { code: 'bad_response' } } })
  })

  test('on a chain without an RPC address is refused with that, and no call is made', async () => {
    const { answer, asked } = await ask({}, { 'eip155:5': 'https://rpc.example' })
    expect(answer).toMatchObject({
      type: 'effect.failed',
      data: {
        failure: {
          code: 'unsupported',
          message: 'asking a contract wallet expected an RPC address for eip155:1, none is configured',
        },
      },
    })
    expect(asked).toEqual([])
  })
})
