import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttp } from '../../../../../src/worker/host/aloneTransport.ts'
import { createSolanaDriver } from '../../../../../src/worker/drivers/solana/solana.ts'
import { memoryBytes } from '../../../../../src/worker/drivers/bytes.ts'
import type { Drive } from '../../../../../src/runtime/host/driver.ts'
import { CONTENT } from '../../../../stack/solana/presale/content.ts'
import { type SolanaStack, startSolana } from '../../../../stack/solana/server.ts'
import { answerOf, failureOf } from '../../harness.ts'

let stack: SolanaStack
let drivers: { [type: string]: Drive }
/** every fetched address */
let fetched: string[]
beforeAll(async () => {
  stack = await startSolana({ seed: 'documents driver', clock: 'manual' })
})
afterAll(() => stack?.close())
beforeEach(() => {
  stack.control({ operator: { replace: {} } })
  fetched = []
  const counting: typeof fetch = (input, init) => {
    fetched.push(String(input))
    return fetch(input, init)
  }
  drivers = createSolanaDriver({
    rpcUrls: [stack.url],
    sale: { authority: stack.info.authority, id: stack.info.saleId },
    termsUrl: `${stack.url}/terms.json`,
    http: createHttp({ wait: async () => {}, fetch: counting }),
    bytes: memoryBytes(),
    now: () => 0,
  })
})
const publish = (replace: Record<string, string | null>) => stack.control({ operator: { replace } })
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the legal document', () => {
  const legal = async () => (await answerOf(drivers, 'chain.readTerms', {}, 'chain.terms')).terms.legal
  const read = async () => answerOf(drivers, 'sale.readLegal', await legal(), 'sale.legal')

  test('of the stack has the hash in its terms, and is read beside them', async () => {
    const { sha256, url } = await legal()
    expect(url).toBe('https://sale.example/terms.html')
    expect(await read()).toEqual({ sha256, url: `${stack.url}/terms.html` })
  })

  test('with a change is refused, even of a single letter', async () => {
    const text = await (await fetch(`${stack.url}/terms.html`)).text()
    publish({ 'terms.html': text.replace('returned within 14 days', 'returned within 94 days') })
    expect(await failureOf(drivers, 'sale.readLegal', await legal())).toMatchObject({ code: 'terms_invalid' })
    publish({ 'terms.html': `\ufeff${text}` })
    expect(await failureOf(drivers, 'sale.readLegal', await legal())).toMatchObject({ code: 'terms_invalid' })
  })

  test('that is missing or endless is refused, and no more of it is read than the limit', async () => {
    publish({ 'terms.html': null })
    expect(await failureOf(drivers, 'sale.readLegal', await legal())).toMatchObject({ code: 'bad_response' })
    publish({ 'terms.html': 'a'.repeat(1_000_001) })
    const failure = await failureOf(drivers, 'sale.readLegal', await legal())
    expect(failure.message).toContain('expected 1000000 bytes at most')
  })

  test('is never fetched from another origin than the terms', async () => {
    const { sha256 } = await legal()
    const elsewhere = { sha256, url: 'https://elsewhere.example/terms.html' }
    const came = await answerOf(drivers, 'sale.readLegal', elsewhere, 'sale.legal')
    expect(came.url).toBe(`${stack.url}/terms.html`)
    await read()
    expect(fetched.every(url => url.startsWith(stack.url))).toBe(true)
  })
})

describe('the list of an allowlist sale', () => {
  const [alice, bob] = ['2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f', '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3']
  const list = `${alice}\n`
  const asks = (account: string, text = list) => ({ account, url: './list.txt', sha256: hashOf(text) })

  test('admits exactly its addresses, and is fetched once', async () => {
    publish({ 'list.txt': list })
    const answer = (account: string) => answerOf(drivers, 'sale.readAccess', asks(account), 'sale.access')
    expect(await answer(alice)).toEqual({ account: alice, allowed: true })
    expect(await answer(bob)).toEqual({ account: bob, allowed: false })
    expect(fetched).toEqual([`${stack.url}/list.txt`])
  })

  test('that is absent, or differs from the terms’ hash, admits no address', async () => {
    expect(await failureOf(drivers, 'sale.readAccess', asks(alice))).toMatchObject({ code: 'bad_response' })
    publish({ 'list.txt': `${list}${bob}\n` })
    expect(await failureOf(drivers, 'sale.readAccess', asks(bob))).toMatchObject({ code: 'terms_invalid' })
  })

  test('with a line that is no address is refused whole', async () => {
    const text = `${alice}\n${bob.slice(1)}0\n`
    publish({ 'list.txt': text })
    expect(await failureOf(drivers, 'sale.readAccess', asks(alice, text))).toMatchObject({ code: 'terms_invalid' })
  })
})

describe('the content file', () => {
  const read = async () => (await answerOf(drivers, 'sale.readContent', {}, 'sale.content')).content

  test('of the stack is read: parts of the supply, the roadmap, questions, links beside the terms', async () => {
    const content = await read()
    expect(content?.tokenomics?.rows).toHaveLength(CONTENT.tokenomics.rows.length)
    expect(content?.roadmap).toEqual(CONTENT.roadmap)
    expect(content?.questions).toEqual(CONTENT.questions)
    const privacy = content?.links.find(({ name }) => name === 'Privacy')
    expect(privacy?.url).toBe(`${stack.url}/privacy.html`)
    expect((await fetch(privacy?.url ?? '')).status).toBe(200)
  })

  test.each<[string, unknown]>([
    ['a link that runs', { ...CONTENT, links: [{ name: 'Privacy', url: 'javascript:alert(1)' }] }],
    ['a link over http', { ...CONTENT, links: [{ name: 'Privacy', url: 'http://sale.example' }] }],
    ['a link with a user', { ...CONTENT, links: [{ name: 'Privacy', url: 'https://a:b@sale.example' }] }],
    ['a path to elsewhere', { ...CONTENT, links: [{ name: 'Privacy', path: '//evil.example' }] }],
    ['a text that turns around', { ...CONTENT, questions: [{ question: 'a\u202eb', answer: 'c' }] }],
    ['parts that are not the supply', { ...CONTENT, tokenomics: { ...CONTENT.tokenomics, supply: '1' } }],
    ['a roadmap that turns around', { ...CONTENT, roadmap: [{ when: 'Soon', title: 'a\u202eb' }] }],
    ['a key nobody knows', { ...CONTENT, html: '<b>' }],
    ['no JSON', 'x'],
    ['too much', { ...CONTENT, questions: [{ question: 'a', answer: 'b'.repeat(70_000) }] }],
  ])('with %s is refused', async (_, file) => {
    publish({ 'content.json': typeof file === 'string' ? file : JSON.stringify(file) })
    expect(await read()).toBeUndefined()
  })

  test('that is not published is absent', async () => {
    publish({ 'content.json': null })
    expect(await read()).toBeUndefined()
  })
})
