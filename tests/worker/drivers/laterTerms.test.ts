/** Later versions of the terms, as a device meets them that knows none of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { canonicalTerms } from '../../../src/events/sale/terms/terms.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createSolanaDriver } from '../../../src/worker/drivers/solana/solana.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { hashText } from '../../../src/worker/services/notices.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { answerOf } from './harness.ts'

let stack: SolanaStack
let terms: Terms
const files: Record<string, string> = {}

const fresh = () =>
  createSolanaDriver({
    rpcUrls: [stack.url],
    termsUrl: `${stack.url}/terms.json`,
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    http: createHttp({ wait: async () => {} }),
    bytes: memoryBytes(),
    now: () => 0,
  })

/** Announces versions one after the other, the last one as the terms of the page. @returns their hashes */
function announce(...versions: Partial<Terms>[]): string[] {
  const hashes = versions.map(one => {
    const text = canonicalTerms({ ...terms, ...one })
    const hash = hashText(text)
    files['terms.json'] = text
    files[nameOf(hash)] = text
    stack.operator.notice('terms', hash)
    return hash
  })
  stack.control({ operator: { replace: files }, advance: 40 })
  return hashes
}
const nameOf = (hash = '') => `terms-${hash.slice(0, 16)}.json`

/** The condition that keeps the page from selling by its terms. */
async function frozenNow(): Promise<string | undefined> {
  const drivers = fresh()
  const { terms: read, termsHash, ...refs } = await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')
  const asked = { noticeRef: refs.noticeRef, presaleRef: refs.presaleRef, authority: read.authority, termsHash }
  const notices = await answerOf(drivers, 'chain.readNotices', asked, 'chain.notices')
  expect(notices).toMatchObject({ termsHash, held: termsHash })
  return notices.frozen
}

beforeAll(async () => {
  stack = await startSolana({ seed: 'later terms', clock: 'manual' })
  terms = (await answerOf(fresh(), 'chain.readTerms', {}, 'chain.terms')).terms
})
afterAll(async () => {
  await stack?.close()
})

describe('a third version of the terms', () => {
  test.each([
    ['end', { version: 2, more: 200 }, { version: 3, more: 150 }],
    ['version', { version: 9, more: 200 }, { version: 7, more: 300 }],
  ])('with a smaller %s than the second is not sold by, though it fits the first', async (path, second, third) => {
    announce(...[second, third].map(({ version, more }) => ({ version, end: terms.end + more })))
    expect(await frozenNow()).toBe(path)
  })

  test('is held against those in force: the ones that were passed over count for nothing', async () => {
    announce({ version: 10, end: terms.end + 100 }, { version: 10, end: terms.end + 200 })
    expect(await frozenNow()).toBeUndefined()
  })

  test('is not sold by where the copy of one before it is missing or another text', async () => {
    const [before] = announce({ version: 11, end: terms.end + 300 }, { version: 12, end: terms.end + 400 })
    expect(await frozenNow()).toBeUndefined()
    stack.control({ operator: { replace: { ...files, [nameOf(before)]: null } } })
    expect(await frozenNow()).toBe('earlier')
    stack.control({ operator: { replace: { ...files, [nameOf(before)]: files['terms.json'] ?? '' } } })
    expect(await frozenNow()).toBe('earlier')
  })

  test('that announces the first one again is not sold by once others are in force', async () => {
    announce({})
    expect(await frozenNow()).toBe('end')
  })
})
