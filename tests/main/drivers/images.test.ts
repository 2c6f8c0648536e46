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

describe('a wallet picture', () => {
  test('is requested by its id with the project, and becomes a blob of its bytes’ type', async () => {
    reply = (_, response) => response.setHeader('content-type', 'text/html').end(png)
    expect(await images.walletImage('a/b')).toBe('blob:1')
    expect(asked).toEqual(['/getWalletImage/a%2Fb?projectId=p+1&st=appkit&sv=html-solana-1.7.19'])
    expect(blobs[0]?.type).toBe('image/png')
    expect(await blobs[0]?.bytes()).toEqual(png)
  })

  test('is fetched once for any number of requests', async () => {
    const both = await Promise.all([images.walletImage('a'), images.walletImage('a')])
    expect([...both, await images.walletImage('a')]).toEqual(['blob:1', 'blob:1', 'blob:1'])
    expect(asked).toHaveLength(1)
  })

  test('that is missing twice is not fetched again', async () => {
    reply = (_, response) => void response.writeHead(404).end()
    for (let time = 0; time < 4; time += 1) expect(await images.walletImage('a')).toBeUndefined()
    expect(asked).toHaveLength(2)
  })

  test('that is missing without a network is fetched whenever it is wanted', async () => {
    isOnline = false
    reply = (_, response) => void response.writeHead(404).end()
    for (let time = 0; time < 4; time += 1) expect(await images.walletImage('a')).toBeUndefined()
    expect(asked).toHaveLength(4)
  })

  test('that is missing is fetched again the next time', async () => {
    reply = (_, response) => void response.writeHead(404).end()
    expect(await images.walletImage('a')).toBeUndefined()
    reply = (_, response) => response.end(png)
    expect(await images.walletImage('a')).toBe('blob:1')
  })

  test.each(Object.entries(stills))('may be %s', async (name, base64) => {
    reply = (_, response) => response.end(decoded(base64))
    expect(await images.walletImage('a')).toBe('blob:1')
    expect(blobs[0]?.type).toBe(typeOf(name))
  })

  test.each(Object.entries(hostilePictures))('may not be %s', async (_, bytes) => {
    reply = (_, response) => response.setHeader('content-type', 'image/png').end(bytes)
    expect(await images.walletImage('a')).toBeUndefined()
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
    expect(await images.walletImage('a')).toBeUndefined()
  })

  test('that does not come is given up after 10 seconds', async () => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    reply = () => deadline.abort()
    expect(await images.walletImage('a')).toBeUndefined()
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
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => images.walletImage(`i${n}`)))
    expect(all.every(url => url?.startsWith('blob:'))).toBe(true)
    expect(most).toBe(6)
    expect(asked).toHaveLength(20)
  })

  test('of a dead server is none', async () => {
    const nowhere = createImages({ online: () => true, configUrl: 'http://127.0.0.1:1', projectId: 'p' })
    expect(await nowhere.walletImage('a')).toBeUndefined()
  })
})
