import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createImages, type Images } from '../../../src/main/drivers/images.ts'
import { hostilePictures } from './pictures/hostile.ts'
import { decoded, stills, typeOf } from './pictures/samples.ts'

const png = decoded(stills.png)

let server: Server
let images: Images
let asked: string[]
let reply: (request: IncomingMessage, response: ServerResponse) => void
let blobs: Blob[]
let isOnline: boolean

beforeEach(async () => {
  asked = []
  blobs = []
  isOnline = true
  reply = (_, response) => response.end(png)
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    reply(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  images = createImages({ configUrl: `http://127.0.0.1:${port}/`, projectId: 'p 1', online: () => isOnline })
  vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => `blob:${blobs.push(blob as Blob)}`)
})

afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

describe('a picture', () => {
  test('is requested by its id with the project, and becomes a blob of its bytes’ type', async () => {
    reply = (_, response) => response.setHeader('content-type', 'text/html').end(png)
    expect(await images.picture('wallet', 'a/b')).toBe('blob:1')
    expect(asked).toEqual(['/getWalletImage/a%2Fb?projectId=p+1&st=appkit&sv=html-solana-1.7.19'])
    expect(blobs[0]?.type).toBe('image/png')
    expect(await blobs[0]?.bytes()).toEqual(png)
  })

  test('of a host’s own wallet is fetched from its own address, and checked like any other', async () => {
    const { port } = server.address() as AddressInfo
    const address = `http://127.0.0.1:${port}/own/tin.png?size=64`
    images = createImages({ configUrl: 'http://no.example', projectId: 'p', online: () => true, own: { tin: address } })
    expect(await images.picture('wallet', 'tin')).toBe('blob:1')
    expect(asked).toEqual(['/own/tin.png?size=64'])
    reply = (_, response) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    images = createImages({ configUrl: 'http://no.example', projectId: 'p', online: () => true, own: { tin: address } })
    expect(await images.picture('wallet', 'tin')).toBeUndefined()
  })

  test('is fetched once for any number of requests', async () => {
    const both = await Promise.all([images.picture('wallet', 'a'), images.picture('wallet', 'a')])
    expect([...both, await images.picture('wallet', 'a')]).toEqual(['blob:1', 'blob:1', 'blob:1'])
    expect(asked).toHaveLength(1)
  })

  test('of a network, a connector, a currency or a token has its own route', async () => {
    for (const [of, name] of [
      ['network', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
      ['network', 'eip155:8453'],
      ['network', 'eip155:42'],
      ['connector', 'walletConnect'],
      ['currency', 'USD'],
      ['token', 'US/DC'],
    ] as const)
      expect(await images.picture(of, name)).toMatch(/^blob:/)
    expect(asked.map(path => path.split('?')[0])).toEqual([
      '/public/getAssetImage/a1b58899-f671-4276-6a5e-56ca5bd59700',
      '/public/getAssetImage/7289c336-3981-4081-c5f4-efc26ac64a00',
      '/public/getAssetImage/ba0ba0cd-17c6-4806-ad93-f9d174f17900',
      '/public/getAssetImage/ef1a1fcf-7fe8-4d69-bd6d-fda1345b4400',
      '/public/getCurrencyImage/USD',
      '/public/getTokenImage/US%2FDC',
    ])
  })

  test('of a network or a connector without one is none, and not asked for', async () => {
    for (const [of, name] of [
      ['network', 'cosmos:hub'],
      ['network', 'constructor:1'],
      ['connector', '__proto__'],
    ] as const)
      expect(await images.picture(of, name)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('that is missing twice is not fetched again', async () => {
    reply = (_, response) => void response.writeHead(404).end()
    for (let time = 0; time < 4; time += 1) expect(await images.picture('wallet', 'a')).toBeUndefined()
    expect(asked).toHaveLength(2)
  })

  test('that is missing without a network is fetched whenever it is wanted', async () => {
    isOnline = false
    reply = (_, response) => void response.writeHead(404).end()
    for (let time = 0; time < 4; time += 1) expect(await images.picture('wallet', 'a')).toBeUndefined()
    expect(asked).toHaveLength(4)
  })

  test('that is missing is fetched again the next time', async () => {
    reply = (_, response) => void response.writeHead(404).end()
    expect(await images.picture('wallet', 'a')).toBeUndefined()
    reply = (_, response) => response.end(png)
    expect(await images.picture('wallet', 'a')).toBe('blob:1')
  })

  test.each(Object.entries(stills))('may be %s', async (name, base64) => {
    reply = (_, response) => response.end(decoded(base64))
    expect(await images.picture('wallet', 'a')).toBe('blob:1')
    expect(blobs[0]?.type).toBe(typeOf(name))
  })

  test.each(Object.entries(hostilePictures))('may not be %s', async (_, bytes) => {
    reply = (_, response) => response.setHeader('content-type', 'image/png').end(bytes)
    expect(await images.picture('wallet', 'a')).toBeUndefined()
    expect(blobs).toEqual([])
  })

  test('that never ends is cut off at 64 KiB', async () => {
    reply = (_, response) => {
      response.write(png)
      const more = () => {
        while (!response.destroyed && response.write(new Uint8Array(8192)));
      }
      response.on('drain', more)
      more()
    }
    expect(await images.picture('wallet', 'a')).toBeUndefined()
  })

  test('that does not come is given up after 10 seconds', async () => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    reply = () => deadline.abort()
    expect(await images.picture('wallet', 'a')).toBeUndefined()
    expect(timeout).toHaveBeenCalledWith(10_000)
  })

  test('waits in a queue: six are fetched at a time, and all come', async () => {
    const held: ServerResponse[] = []
    let most = 0
    reply = (_, response) => {
      held.push(response)
      most = Math.max(most, held.length)
      // Six requests stay open until two turns have shown that no seventh comes
      if (held.length === 6) setImmediate(() => setImmediate(() => held.splice(0).forEach(one => one.end(png))))
      else if (asked.length === 20) held.splice(0).forEach(one => one.end(png))
    }
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => images.picture('wallet', `i${n}`)))
    expect(all.every(url => url?.startsWith('blob:'))).toBe(true)
    expect(most).toBe(6)
    expect(asked).toHaveLength(20)
  })

  test('of a dead server is none', async () => {
    const nowhere = createImages({ online: () => true, configUrl: 'http://127.0.0.1:1', projectId: 'p' })
    expect(await nowhere.picture('wallet', 'a')).toBeUndefined()
  })
})
