import { expect, test } from 'vitest'
import { walletLink } from '../../../src/events/values/walletLink.ts'

const uri = 'wc:7f@2?relay-protocol=irn&symKey=a3'
const query = 'wc?uri=wc%3A7f%402%3Frelay-protocol%3Dirn%26symKey%3Da3'

test.each([
  ['phantom://', `phantom://${query}`],
  ['phantom://app', `phantom://app/${query}`],
  ['phantom:', `phantom://${query}`],
  ['phantom:/', `phantom://${query}`],
  ['phantom', `phantom://${query}`],
  ['https://phantom.example/ul', `https://phantom.example/ul/${query}`],
  ['https://phantom.example/ul/', `https://phantom.example/ul/${query}`],
])('a wallet that is opened by %s gets the code in %s', (link, expected) => {
  expect(walletLink(link, uri)).toBe(expected)
})

test('an app’s link is encoded twice where its window decodes it once more, a universal link never', () => {
  expect(walletLink('phantom://', uri, true)).toBe(
    'phantom://wc?uri=wc%253A7f%25402%253Frelay-protocol%253Dirn%2526symKey%253Da3',
  )
  expect(walletLink('https://phantom.example/ul', uri, true)).toBe(`https://phantom.example/ul/${query}`)
})

test.each([
  'javascript:alert(1)//',
  ' JavaScript:alert(1)',
  'data:text/html,x',
  'http://phantom.example',
  'file:///etc',
])('%s opens no wallet', link => {
  expect(walletLink(link, uri)).toBeUndefined()
})
