import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createImages, type Images } from '../../../src/main/drivers/images.ts'

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3)
const text = (words: string) => new TextEncoder().encode(words)

let server: Server
let images: Images
let asked: string[]
let reply: (request: IncomingMessage, response: ServerResponse) => void
let blobs: Blob[]

beforeEach(async () => {
  asked = []
  blobs = []
  reply = (_, response) => response.end(png)
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    reply(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  images = createImages({ configUrl: `http://127.0.0.1:${port}/`, projectId: 'p 1' })
  vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => `blob:${blobs.push(blob as Blob)}`)
})

afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

describe('a wallet picture', () => {
  test('is asked for by its id with the project and becomes a blob of what its bytes are', async () => {
    reply = (_, response) => response.setHeader('content-type', 'text/html').end(png)
    expect(await images.walletImage('a/b')).toBe('blob:1')
    expect(asked).toEqual(['/getWalletImage/a%2Fb?projectId=p+1&st=appkit&sv=html-solana-1.7.19'])
    expect(blobs[0]?.type).toBe('image/png')
    expect(await blobs[0]?.bytes()).toEqual(png)
  })

  test('is fetched once, however many ask and whenever', async () => {
    const both = await Promise.all([images.walletImage('a'), images.walletImage('a')])
    expect([...both, await images.walletImage('a')]).toEqual(['blob:1', 'blob:1', 'blob:1'])
    expect(asked).toHaveLength(1)
  })

  test('that is missing is asked for again the next time', async () => {
    reply = (_, response) => void response.writeHead(404).end()
    expect(await images.walletImage('a')).toBeUndefined()
    reply = (_, response) => response.end(png)
    expect(await images.walletImage('a')).toBe('blob:1')
  })

  test.each([
    ['JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
    ['WebP', text('RIFF....WEBPVP8 '), 'image/webp'],
    ['GIF', text('GIF89a...'), 'image/gif'],
    ['SVG', text('<?xml version="1.0"?>\n<!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
  ])('may be a %s', async (_, bytes, type) => {
    reply = (_, response) => response.end(bytes)
    expect(await images.walletImage('a')).toBe('blob:1')
    expect(blobs[0]?.type).toBe(type)
  })

  test.each([
    ['a page', text('<!doctype html><svg></svg>')],
    ['nothing', new Uint8Array(0)],
    ['65,537 bytes', new Uint8Array(65_537).map((_, at) => png[at] ?? 0)],
  ])('may not be %s', async (_, bytes) => {
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

  test('waits its turn: six are fetched at a time, and all come', async () => {
    const held: ServerResponse[] = []
    let most = 0
    reply = (_, response) => {
      held.push(response)
      most = Math.max(most, held.length)
      // Six are held until the server has seen that no seventh comes beside them
      if (held.length === 6) setImmediate(() => setImmediate(() => held.splice(0).forEach(one => one.end(png))))
      else if (asked.length === 20) held.splice(0).forEach(one => one.end(png))
    }
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => images.walletImage(`i${n}`)))
    expect(all.every(url => url?.startsWith('blob:'))).toBe(true)
    expect(most).toBe(6)
    expect(asked).toHaveLength(20)
  })

  test('of a server that is gone is none', async () => {
    const nowhere = createImages({ configUrl: 'http://127.0.0.1:1', projectId: 'p' })
    expect(await nowhere.walletImage('a')).toBeUndefined()
  })
})
