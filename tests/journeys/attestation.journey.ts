/** The verify service in a browser, under the production headers: the attestations wallets receive. */
import type { Page } from '@playwright/test'
import type { Recording } from '../../src/runtime/recording/recording.ts'
import type { Stack } from '../stack/start.ts'
import { connectedAddress, fund, order, payments, phase, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { approve, connectPocket, copyShown, copyUri, decline, pair, question, showCode } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

/** Visibility events of a page when the visitor turns to another app or tab, and back. */
function turn(page: Page, to: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate(state => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, to)
}

/** @returns types of the inputs whose step emitted such an effect */
function causesOf({ records }: Recording, effects: RegExp): string[] {
  let input = ''
  return records.flatMap(({ record }) => {
    if (record.k === 'i') input = record.type
    return record.k === 'e' && record.types.some(type => effects.test(type)) ? [input] : []
  })
}

const proposals = ({ relay }: Stack) => relay.state().tags[1100] ?? 0

test('a visitor’s wallet is told that the proposal and the payment come from the page they name', {
  tag: '@long',
}, async ({ visit, openWallet, stack, site }) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const uri = await copyUri(page)
  await pair(wallet, uri)
  await expect(question(wallet, 'proposal')).toHaveAttribute('data-verified', 'VALID')
  await approve(wallet, 'proposal')
  const account = await connectedAddress(page)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2.5' })
  await expect(question(wallet, 'request')).toHaveAttribute('data-verified', 'VALID')
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_500_000_000n }])
  const { origin } = new URL(site.url)
  const { origins, referrers } = stack.verify.state()
  expect([new Set(origins), new Set(referrers)]).toEqual([new Set([origin]), new Set([`${origin}/`])])
  await expect(page.locator('iframe')).toHaveCount(0)
  const { text } = await saveRecording(page, 'walletconnect-witnessed')
  expect(text.match(/"type":"attest.got"/g)).toHaveLength(2)
})

test('a verify service that says nothing holds up neither the code nor a purchase', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
}) => {
  stack.verify.control({ page: 'silent' })
  const [pages, sent] = [stack.verify.state().pages, proposals(stack)]
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await page.getByTestId('connect-button').click()
  await showCode(page)
  expect(proposals(stack) - sent, 'the code was shown before its proposal had gone out').toBe(0)
  await pair(wallet, await copyShown(page))
  await expect(question(wallet, 'proposal')).toHaveAttribute('data-verified', 'UNKNOWN')
  await approve(wallet, 'proposal')
  const account = await connectedAddress(page)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2' })
  await expect(question(wallet, 'request')).toHaveAttribute('data-verified', 'UNKNOWN')
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
  expect(stack.verify.state().pages - pages, 'the purchase asked a silent service again').toBe(1)
  await saveRecording(page, 'walletconnect-verify-silent')
})

test('a visitor who leaves for the wallet at once finds the proposal there, whatever the service does', {
  tag: '@long',
}, async ({ visit, openWallet, stack }) => {
  stack.verify.control({ page: 'never' })
  const sent = proposals(stack)
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await page.getByTestId('connect-button').click()
  await showCode(page)
  expect(proposals(stack) - sent).toBe(0)
  await turn(page, 'hidden')
  await expect.poll(() => proposals(stack) - sent).toBe(1)
  await turn(page, 'visible')
  await pair(wallet, await copyShown(page))
  await approve(wallet, 'proposal')
  await connectedAddress(page)
  // Hiding the page sent it, or the relay's first answer behind that; not the end of the wait for the service
  const { recording } = await saveRecording(page)
  expect(['page.visible', 'relay.opened']).toContain(causesOf(recording, /^relay\.(?:propose|publish)$/)[0])
})

test('a page that is not registered with the service connects and pays as ever', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
}) => {
  stack.verify.control({ page: 'refused' })
  const visitor = await visit()
  // The browser reports the page it refused to frame
  visitor.expectTrouble(/frame-ancestors|chrome-error/)
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  const { account } = await connectPocket(page, wallet)
  await fund(stack, page, account)
  await order(page, { asset: 'SOL', amount: '2' })
  await phase(page, 'awaitingSignature')
  await approve(wallet, 'request')
  await settle(stack, page)
})

test('no wallet is told anything by a service that goes wrong', { tag: '@long' }, async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit()
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  for (const manner of ['elsewhere', 'garbage', 'wrongSignature'] as const) {
    stack.verify.control({ page: manner })
    await pair(wallet, await copyUri(page))
    await expect(question(wallet, 'proposal'), manner).toHaveAttribute('data-verified', 'UNKNOWN')
    if (manner === 'wrongSignature') await approve(wallet, 'proposal')
    else await decline(wallet, 'proposal')
    if (manner !== 'wrongSignature') await page.getByTestId('modal-close').click()
  }
  await connectedAddress(page)
})
