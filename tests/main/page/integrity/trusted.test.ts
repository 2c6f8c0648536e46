import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** A page at this address; each test loads the file anew, as a page does. */
beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('location', new URL('https://sale.example/app/'))
  vi.stubGlobal('document', { baseURI: 'https://sale.example/app/' })
})
afterEach(() => vi.unstubAllGlobals())

const load = async () => (await import('../../../../src/main/page/integrity/trusted.ts')).trustedScriptURL

describe('the address of a script', () => {
  test('of this page is trusted, in full', async () => {
    const trustedScriptURL = await load()
    expect(trustedScriptURL('./assets/worker.js')).toBe('https://sale.example/app/assets/worker.js')
    expect(trustedScriptURL('/worker.js')).toBe('https://sale.example/worker.js')
  })

  test.each([
    'https://elsewhere.example/worker.js',
    '//elsewhere.example/worker.js',
    'data:text/javascript,1',
    'http://sale.example/a.js',
  ])('elsewhere is refused: %s', async url => {
    const trustedScriptURL = await load()
    expect(() => trustedScriptURL(url)).toThrow("expected the page's origin https://sale.example")
  })

  test('goes through one policy named app, created once', async () => {
    const createPolicy = vi.fn((_name: string, rules: object) => rules)
    vi.stubGlobal('trustedTypes', { createPolicy })
    const trustedScriptURL = await load()
    expect(createPolicy).not.toHaveBeenCalled()
    trustedScriptURL('./a.js')
    trustedScriptURL('./b.js')
    expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['app'])
  })
})
