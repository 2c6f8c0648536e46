import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productionAddresses } from '../../scripts/addresses.ts'
import { productionHeaders } from '../../scripts/headers.ts'
import { freePort } from '../../scripts/ports.ts'
import { type Site, serveSite } from '../../scripts/preview.ts'

let dir: string
let site: Site

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mai-preview-'))
  writeFileSync(
    join(dir, 'headers.json'),
    JSON.stringify(productionHeaders({ addresses: productionAddresses, https: true })),
  )
  writeFileSync(join(dir, 'index.html'), '<!doctype html>')
  writeFileSync(join(dir, 'worker-AbCd_123.js'), 'self.postMessage(1)')
  site = await serveSite({ dir, port: 0 })
})
afterAll(async () => {
  await site.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Sends the path unchanged; fetch would normalise it. */
function statusOf(path: string, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: site.port, path, method }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('the preview', () => {
  test.each(['', 'worker-AbCd_123.js', 'missing.js'])('sends the policy with /%s', async path => {
    const answer = await fetch(site.url + path)
    expect(answer.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('strict-transport-security')).toBeNull()
  })

  test('lets hashed files be cached for ever and pages never', async () => {
    expect((await fetch(`${site.url}worker-AbCd_123.js`)).headers.get('cache-control')).toContain('immutable')
    expect((await fetch(site.url)).headers.get('cache-control')).toBe('no-cache')
  })

  test('serves no file from outside the build, and no request stops it', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/%E0%A4%A', '/%00']) {
      expect([path, await statusOf(path)]).toEqual([path, 404])
    }
    expect(await statusOf('/', 'POST')).toBe(405)
    expect(await statusOf('/')).toBe(200)
  })

  test('names the remedy when there is no build', async () => {
    await expect(serveSite({ dir: join(dir, 'none'), port: 0 })).rejects.toThrow('run npm run build first')
  })
})

describe('a port that is taken', () => {
  test('is replaced by the next free one, and so is one whose neighbour is taken', async () => {
    const server = createServer()
    const base = await freePort(0, 3)
    await new Promise<void>(done => server.listen(base + 1, '127.0.0.1', done))
    try {
      expect(await freePort(base + 1)).toBeGreaterThan(base + 1)
      expect(await freePort(base, 2)).toBeGreaterThan(base + 1)
      expect(await freePort(base, 1, new Set([base]))).toBeGreaterThan(base + 1)
    } finally {
      await new Promise(done => server.close(done))
    }
  })
})
