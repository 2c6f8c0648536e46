import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { attest } from '../../../src/main/drivers/attest.ts'

const effect = {
  id: 'e1',
  type: 'attest.get',
  data: { messageRef: 'ab', url: 'https://verify.example/v3/attestation?projectId=p&id=ab&decryptedId=cd' },
} as const

/** A page whose frame is a plain object under the tests' control. */
function page() {
  const listeners = new Set<(event: unknown) => void>()
  const attributes: Record<string, string> = {}
  const marks = {
    attributes,
    setAttribute: (name: string, value: string) => void (attributes[name] = value),
    remove: () => void (frame.removed = true),
  }
  const frame = { contentWindow: {}, src: '', hidden: false, referrerPolicy: '', removed: false, ...marks }
  const made = {
    location: { origin: 'https://dapp.example' },
    document: { createElement: () => frame, body: { append: () => undefined } },
    addEventListener: (_type: string, listener: (event: unknown) => void) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: (event: unknown) => void) => void listeners.delete(listener),
  }
  const dispatch = (data: unknown, from: { source?: unknown; origin?: string } = {}) => {
    for (const listener of listeners)
      listener({ source: frame.contentWindow, origin: 'https://verify.example', data, ...from })
  }
  return { asked: attest(made as never, effect), frame, dispatch, listeners }
}
const word = (attestation: unknown) => JSON.stringify({ type: 'verify_attestation', attestation })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the verify service’s frame', () => {
  test('is asked with this page’s origin and posts its attestation', async () => {
    const { asked, frame, dispatch, listeners } = page()
    expect(frame.src).toBe(`${effect.data.url}&origin=https%3A%2F%2Fdapp.example`)
    dispatch(word('a.b.c'))
    expect(await asked).toEqual({ type: 'attest.got', messageRef: 'ab', jwt: 'a.b.c' })
    expect([frame.removed, listeners.size]).toEqual([true, 0])
  })

  test('is ignored from another frame, another origin or in another form', async () => {
    const { asked, dispatch } = page()
    dispatch(word('forged'), { source: {} })
    dispatch(word('forged'), { origin: 'https://evil.example' })
    for (const data of ['{', 'null', '{"type":"other"}', 7]) dispatch(data)
    dispatch('{"type":"verify_attestation","attestation":"forged","__proto__":{}}')
    dispatch(`${word('forged')}${' '.repeat(20_000)}`)
    dispatch(word('a.b.c'))
    expect(await asked).toMatchObject({ jwt: 'a.b.c' })
  })

  test('may refuse to attest', async () => {
    const { asked, dispatch } = page()
    dispatch(word(null))
    expect(await asked).toMatchObject({ jwt: '' })
  })

  test('is hidden, may run scripts only, and gets the page’s origin without a path', () => {
    const { frame } = page()
    expect([frame.hidden, frame.attributes]).toEqual([true, { sandbox: 'allow-scripts allow-same-origin' }])
    expect(frame.referrerPolicy).toBe('origin')
  })

  test('has six seconds', async () => {
    const { asked, frame } = page()
    await vi.advanceTimersByTimeAsync(6000)
    expect(await asked).toMatchObject({ jwt: '' })
    expect(frame.removed).toBe(true)
  })
})

test('attest: an invalid address gives no attestation', async () => {
  const wrong = { ...effect, data: { messageRef: 'ab', url: 'nowhere' } }
  expect(await attest({ location: { origin: '' } } as never, wrong)).toMatchObject({ jwt: '' })
})
