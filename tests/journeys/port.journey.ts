/** A script in the page, such as a malicious browser extension's, posts to the worker behind the page's back. */
import { confirmWindow, connectInstalled, fund, order, payments, settle } from './buying.ts'
import type { Page } from '@playwright/test'
import { expect, test, type Visit } from './fixtures.ts'

declare global {
  interface Window {
    /** The page's workers, as caught by a script that ran before the page's own. */
    caught: Worker[]
  }
}

test.describe.configure({ timeout: 120_000 })

const hostile = [
  { type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'return this' }] },
  { type: 'GET', path: ['constructor'] },
  { type: 'SET', path: ['__proto__', 'polluted'], value: { type: 'RAW', value: 'yes' } },
  { type: 'SET', path: ['constructor', 'prototype', 'polluted'], value: { type: 'RAW', value: 'yes' } },
  { type: 'SET', path: ['command'], value: { type: 'RAW', value: 'yes' } },
  { type: 'CONSTRUCT', path: ['constructor'] },
  { type: 'ENDPOINT' },
  { type: 'RELEASE' },
  { type: 'APPLY', path: ['toString'] },
  { type: 'APPLY', path: ['ping'], argumentList: [{ type: 'HANDLER', name: 'throw', value: {} }] },
]

/** Opens the page behind a script that catches its workers, and walks their port. */
async function walked(visitor: Visit): Promise<Page> {
  await visitor.context.addInitScript(() => {
    window.caught = []
    window.Worker = class extends Worker {
      constructor(...made: ConstructorParameters<typeof Worker>) {
        super(...made)
        window.caught.push(this)
      }
    }
  })
  const page = await visitor.open()
  await expect(page.getByTestId('connect-button').first()).toBeVisible()
  await expect.poll(() => page.workers().length).toBeGreaterThan(0)

  const answers = await page.evaluate(async messages => {
    const [worker] = window.caught
    const ask = (message: object, id: string) =>
      new Promise<unknown>(resolve => {
        const hear = ({ data }: MessageEvent<{ id?: string }>) => {
          if (data.id !== id) return
          worker?.removeEventListener('message', hear)
          resolve(data)
        }
        worker?.addEventListener('message', hear)
        worker?.postMessage({ id, ...message })
      })
    return Promise.all(messages.map((message, at) => ask(message, `hostile ${at}`)))
  }, hostile)
  for (const answer of answers) expect(answer).toMatchObject({ type: 'HANDLER', name: 'throw' })

  const inside = await page.workers()[0]?.evaluate(() => {
    const { map } = Array.prototype
    const { then } = Promise.prototype
    const attacks: [object, string, unknown][] = [
      [Array.prototype, 'map', () => []],
      [Promise.prototype, 'then', () => undefined],
      [Object.prototype, 'polluted', 'yes'],
      [Object.prototype, 'toString', () => 'mine'],
    ]
    const refused = attacks.map(([target, key, value]) => !Reflect.defineProperty(target, key, { value }))
    Reflect.set(Array.prototype, 'map', () => [])
    return {
      refused,
      polluted: ({} as { polluted?: string }).polluted,
      isSame: Array.prototype.map === map && Promise.prototype.then === then && String({}) === '[object Object]',
      frozen: [Object, Array, Function, Promise, Map, Set, String, Error.prototype, Uint8Array].map(one =>
        Object.isFrozen(one),
      ),
    }
  })
  expect(inside).toEqual({
    refused: [true, true, true, true],
    polluted: undefined,
    isSame: true,
    frozen: Array.from({ length: 9 }, () => true),
  })
  return page
}

test('a script that walks the worker’s port is refused, and changes nothing there', async ({ visit }) => {
  await walked(await visit())
})

test('a visitor buys beside such a script @long', async ({ visit, stack }) => {
  const page = await walked(await visit())
  const account = await connectInstalled(page)
  await fund(stack, page, account)
  await order(page, { asset: 'USDC', amount: '10' })
  await confirmWindow(page).getByTestId('confirm-approve').click()
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'USDC', units: 10_000_000n }])
})
