import { afterEach, describe, expect, test } from 'vitest'
import baseline from '../../src/main/public/baseline.js?raw'

type Page = Window & typeof globalThis

let frame: HTMLIFrameElement
afterEach(() => frame.remove())

/** Runs the script in a page of its own, after `spoil` removed a feature from its browser. */
function openPage(spoil: (page: Page) => void = () => {}): string {
  frame = document.createElement('iframe')
  document.body.append(frame)
  const page = frame.contentWindow as Page
  page.document.body.innerHTML = '<div id="root">the page</div>'
  spoil(page)
  page.eval(baseline)
  return page.document.body.textContent
}

const hide = (owner: object, name: string, value?: unknown) =>
  Object.defineProperty(owner, name, { value, configurable: true })

describe('a browser', () => {
  test('that can run the page gets no notice', () => {
    expect(openPage()).toBe('the page')
  })

  test.each<[string, (page: Page) => void]>([
    ['without workers', page => hide(page, 'Worker')],
    [
      'without module workers',
      page => {
        hide(page, 'trustedTypes')
        hide(
          page,
          'Worker',
          class {
            terminate() {}
          },
        )
      },
    ],
    [
      'without light-dark()',
      page => hide(page.CSS, 'supports', (_name: string, value: string) => !value.includes('light-dark')),
    ],
    ['without es2022', page => hide(page.Object, 'hasOwn')],
    ['without locks', page => hide(page.navigator, 'locks')],
  ])('%s gets the notice that it is too old', (_name, spoil) => {
    expect(openPage(spoil)).toMatch(/^This browser is too old for this page: [^.]*\.$/)
  })

  test('on plain http gets the notice that https is needed, also without keys and locks', () => {
    const text = openPage(page => {
      hide(page, 'isSecureContext', false)
      hide(page.navigator, 'locks')
      hide(page.crypto, 'subtle')
    })
    expect(text).toMatch(/^Open this page over https: [^.]*\.$/)
  })

  test('without IndexedDB may stay: the page works and says that nothing is saved', () => {
    expect(openPage(page => hide(page, 'indexedDB'))).toBe('the page')
  })

  test('with module workers but without trusted types may stay', () => {
    expect(openPage(page => hide(page, 'trustedTypes'))).toBe('the page')
  })
})
