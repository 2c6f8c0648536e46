/** The page begins once its prerendered form was painted, or at once where no paint will be told. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterFirstPaint } from '../../../src/main/page/firstPaint.ts'

type Listener = (list: { getEntriesByName(name: string): unknown[] }) => void

let painted: (name: string) => void = () => undefined
const disconnect = vi.fn()

/** A `PerformanceObserver` whose entries come when a test says so. */
class StubbedObserver {
  static supportedEntryTypes: readonly string[] | undefined = ['paint']
  constructor(listener: Listener) {
    painted = name => listener({ getEntriesByName: asked => (asked === name ? [{}] : []) })
  }
  observe = () => undefined
  disconnect = disconnect
}

const begin = vi.fn()
const rootWith = (html: string) => {
  const root = document.createElement('div')
  root.innerHTML = html
  return root
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('PerformanceObserver', StubbedObserver)
  StubbedObserver.supportedEntryTypes = ['paint']
  vi.clearAllMocks()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('begins with the first content, once', () => {
  afterFirstPaint(rootWith('<main></main>'), begin)
  painted('first-paint')
  expect(begin).not.toHaveBeenCalled()
  painted('first-contentful-paint')
  vi.runAllTimers()
  expect([begin.mock.calls.length, disconnect.mock.calls.length]).toEqual([1, 1])
})

test('begins without a word of the browser after a while, once', () => {
  afterFirstPaint(rootWith('<main></main>'), begin)
  vi.runAllTimers()
  expect([begin.mock.calls.length, disconnect.mock.calls.length]).toEqual([1, 1])
})

test.each([
  ['an empty page', '', () => undefined],
  ['a hidden tab', '<main></main>', () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)],
  ['a browser that tells no paints', '<main></main>', () => (StubbedObserver.supportedEntryTypes = ['mark'])],
  ['one that tells nothing', '<main></main>', () => (StubbedObserver.supportedEntryTypes = undefined)],
])('begins at once in %s', (_, html, setUp) => {
  setUp()
  afterFirstPaint(rootWith(html), begin)
  expect(begin).toHaveBeenCalledTimes(1)
})
