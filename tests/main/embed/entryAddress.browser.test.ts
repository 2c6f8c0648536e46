/** The address of the embed's entry. A page of its own: the list of its files is read once. */
import { expect, test, vi } from 'vitest'

test('embed: its entry by an address with a query is refused with a sentence', async () => {
  vi.stubEnv('VITE_EMBED_PARTS', '{}')
  try {
    const address = new URL('../../../src/main/embed.ts', import.meta.url).pathname
    await expect(import(/* @vite-ignore */ `${address}?v=2`)).rejects.toMatchObject({
      code: 'unsupported',
      message: 'embed.js expected an address without a query: put a new version into a new folder',
    })
  } finally {
    vi.unstubAllEnvs()
  }
})
