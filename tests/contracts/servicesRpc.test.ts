/** JSON-RPC and bundler of the Blockchain API. */
import { Connection, PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { seededKeypair } from '../stack/solana/keys.ts'
import { startServices } from '../stack/services/services.ts'
import { envelope, mainnet, project, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services rpc')
const { ask } = here
const call = (chainId: string, body: unknown, path = '/v1/') =>
  ask(`${path}?chainId=${encodeURIComponent(chainId)}&projectId=${projectId}`, { body })
const request = (method: string, params: unknown[] = []) => ({ jsonrpc: '2.0', id: 'a1', method, params })

describe('JSON-RPC', () => {
  test('of every Solana id reaches the local chain, on both paths, batches as a whole', async () => {
    const { genesisHash } = here.solana.chain
    const ids = ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1', '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', genesisHash.slice(0, 32)]
    for (const id of [mainnet, ...ids.map(one => `solana:${one}`)])
      for (const path of ['/v1', '/v1/'])
        expect((await call(id, request('getGenesisHash'), path)).body).toEqual({
          jsonrpc: '2.0',
          id: 'a1',
          result: genesisHash,
        })
    const batch = await call(mainnet, [request('getGenesisHash'), request('getHealth')])
    expect(batch.body).toMatchObject([{ result: genesisHash }, { result: 'ok' }])
  })
  test('serves the Solana library as it is', async () => {
    const owner = seededKeypair('services rpc', 'visitor').address
    here.solana.give(owner, { sol: '3' })
    const endpoint = `${here.services.url}/v1/?chainId=${encodeURIComponent(mainnet)}&projectId=${projectId}`
    const connection = new Connection(endpoint, { commitment: 'processed' })
    expect(await connection.getBalance(new PublicKey(owner))).toBe(3_000_000_000)
  })
  test('answers the probe for every served chain, and cached methods of an EVM chain', async () => {
    const probe = { id: 1, jsonrpc: '2.0', method: 'test', params: [] }
    for (const id of [mainnet, 'eip155:1'])
      expect(await call(id, probe)).toMatchObject({ status: 200, body: { id: 1, error: { code: -32601 } } })
    expect((await call('eip155:137', request('eth_chainId'))).body).toMatchObject({ result: '0x89' })
    expect((await call('eip155:137', request('net_version'))).body).toMatchObject({ result: '137' })
    expect((await call('eip155:137', request('net_listening'))).body).toMatchObject({ result: true })
    expect(await call('eip155:137', request('eth_call'))).toMatchObject({ status: 503, body: envelope('chainId') })
  })
  test('passes refusals of the node on, and its cut connection as 503', async () => {
    here.solana.control({ faults: { getHealth: { kind: 'status', status: 429, retryAfter: 7, times: 1 } } })
    const refused = await call(mainnet, request('getHealth'))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
    here.solana.control({ faults: { getHealth: { kind: 'drop', times: 1 } } })
    expect(await call(mainnet, request('getHealth'))).toMatchObject({ status: 503, body: envelope('transport') })
    expect((await call(mainnet, request('getHealth'))).body).toMatchObject({ result: 'ok' })
  })
  test('refuses an unknown chain, a bad project id, and a GET', async () => {
    expect(await call('eip155:999999', request('x'))).toMatchObject({ status: 400, body: envelope('chainId') })
    expect((await ask(`/v1?projectId=${projectId}`, { body: request('x') })).status).toBe(400)
    const stranger = await ask(`/v1?chainId=${mainnet}&projectId=x`, { body: request('x') })
    expect(stranger).toMatchObject({ status: 401, body: envelope('authentication') })
    expect(await ask(`/v1?chainId=${mainnet}&${project}`)).toMatchObject({ status: 426, text: '' })
  })
  test('without a local chain is 503', async () => {
    const alone = await startServices()
    const body = JSON.stringify(request('getHealth'))
    const answer = await fetch(`${alone.url}/v1?chainId=${mainnet}&${project}`, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toEqual([503, envelope('chainId')])
    await alone.close()
  })
})

describe('bundler', () => {
  const bundle = (query: string, body: unknown) => ask(`/v1/bundler?projectId=${projectId}&${query}`, { body })
  const receipt = request('eth_getUserOperationReceipt', ['0xaa'])

  test("an operation's receipt is null first and there from the second time on", async () => {
    const first = await bundle('chainId=eip155:1&bundler=pimlico', receipt)
    expect(first).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 'a1', result: null } })
    const second = await bundle('chainId=eip155:1', receipt)
    expect(second.body).toMatchObject({ id: 'a1', result: { userOpHash: '0xaa', success: true } })
  })
  test('takes the other methods and an address as its name', async () => {
    const send = await bundle(
      'chainId=eip155:1&bundler=https://bundler.example',
      request('eth_sendUserOperation', [{}]),
    )
    expect(send.body).toMatchObject({ result: expect.stringMatching(/^0x/) as string })
  })
  test('refuses an unknown name 400, an unknown chain 400, an unknown method 422, a bad project 401', async () => {
    expect(await bundle('chainId=eip155:1&bundler=other', receipt)).toMatchObject({
      status: 400,
      body: envelope('bundler'),
    })
    expect(await bundle('chainId=eip155:999999', receipt)).toMatchObject({ status: 400, body: envelope('chainId') })
    expect(await bundle('chainId=eip155:1', request('eth_call'))).toMatchObject({ status: 422, text: '' })
    expect(await bundle('chainId=eip155:1', '{')).toMatchObject({ status: 400, body: undefined })
    const stranger = await ask('/v1/bundler?projectId=x&chainId=eip155:1', { body: receipt })
    expect(stranger).toMatchObject({ status: 401, body: envelope('authentication') })
  })
})
