/**
 * Firefox that resists fingerprinting, as the Tor Browser does: canvases hold noise, every clock moves in steps of 100 ms, the time
 * zone, the cores and the size of the pixels are feigned.
 */
import { expireBy, payments } from '../journeys/buying.ts'
import { approve, pair } from '../journeys/pocket.ts'
import type { Stack } from '../stack/start.ts'
import { engines, expect, test } from './fixtures.ts'
import { on, press, type Tab, until } from './tab.ts'
import { hostUnderPolicy, plainHost, steered, variantOf } from './variant.ts'
import {
  connected,
  copiedCode,
  copiedCodeInHost,
  draft,
  inWallet,
  pay,
  phase,
  savedRecording,
  textOf,
  watch,
  watched,
  wrongIn,
} from './visitor.ts'

const prefs = {
  'privacy.resistFingerprinting': true,
  'privacy.resistFingerprinting.reduceTimerPrecision.microseconds': 100_000,
}

/** The browser feigns, or the setting has another name. */
async function expectFeigned(tab: Tab): Promise<void> {
  const seen = await tab.run(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 })
    const context = canvas.getContext('2d')
    context?.fillRect(0, 0, 8, 8)
    const colours = new Set(context?.getImageData(0, 0, 8, 8).data)
    return { step: Date.now() % 100, isNoisy: colours.size > 2, pixels: devicePixelRatio }
  })
  expect(seen).toEqual({ step: 0, isNoisy: true, pixels: 2 })
}

/** Waits until the code's time left, which it tells by the second, is another. */
async function countsDown(tab: Tab): Promise<void> {
  const left = (before: string) => {
    const words = document.querySelector('[data-testid="modal"]')?.textContent ?? ''
    const [, time = ''] = /New code in (\d:\d\d)/.exec(words) ?? []
    return time < before ? time : ''
  }
  await until(tab, 'less time left', left, await until(tab, 'the time left', left, '9:99'))
}

/** The page's clocks and its worker's go forward until the order has expired. */
async function expire(tab: Tab, { solana }: Stack): Promise<void> {
  solana.chain.advance(220)
  const advance = (passed: number) =>
    tab.run(ahead => {
      const clocks = new BroadcastChannel('clocks')
      clocks.postMessage(ahead)
      clocks.close()
    }, passed)
  const phaseNow = () => tab.run(css => document.querySelector(css)?.getAttribute('data-phase'), on('order-status'))
  await expireBy(solana.url, advance, async () => (await phaseNow()) === 'expired')
  await phase(tab, 'expired')
}

if (engines.includes('Firefox')) {
  test.describe('Firefox that resists fingerprinting', () => {
    test.use({ engine: 'Firefox', prefs })

    test('page: the code counts down and connects, a lost payment expires, the next is paid once, a reload keeps all @long', async ({
      published,
      stack,
      tab,
      wallet,
    }) => {
      await tab.open(variantOf(published, 'steered', `${watched}\n${steered}`))
      await expectFeigned(tab)
      const code = await copiedCode(tab)
      await countsDown(tab)
      await pair(wallet, code)
      await approve(wallet, 'proposal')
      const account = await connected(tab)
      await draft(tab, stack, account)
      stack.solana.control({ faults: { sendTransaction: { kind: 'dropTransaction' } } })
      await press(tab, on('buy-button'))
      await inWallet(wallet)()
      await phase(tab, 'sending')
      await expire(tab, stack)
      await textOf(tab, on('order-status'), 'No payment was seen.')
      stack.solana.control({ faults: {} })
      await press(tab, on('buy-button'))
      // The order of before stands in the form
      await textOf(tab, on('buy-button'), 'Pay 2 SOL')
      await pay(tab, stack, inWallet(wallet))
      expect(payments(stack, account)).toHaveLength(1)
      await tab.reload()
      expect(await connected(tab)).toBe(account)
      await phase(tab, 'finalised')
      await savedRecording(tab)
      expect(await wrongIn(tab)).toEqual([])
    })

    test('embed: a host’s visitor connects by code, a reload keeps the account, and disconnects @long', async ({
      published,
      tab,
      wallet,
    }) => {
      const status = (wanted: string) => until(tab, wanted, one => window.modal?.getAccount().status === one, wanted)
      await tab.open(hostUnderPolicy(published, 'host-feigned', plainHost()))
      await expectFeigned(tab)
      await tab.run(watch)
      await status('disconnected')
      await tab.run(() => void window.modal.open())
      await pair(wallet, await copiedCodeInHost(tab))
      await approve(wallet, 'proposal')
      await status('connected')
      const address = await tab.run(() => window.modal.getAccount().address)
      expect(await wrongIn(tab)).toEqual([])
      await tab.reload()
      await status('connected')
      expect(await tab.run(() => window.modal.getAccount().address)).toBe(address)
      await tab.run(() => void window.modal.disconnect())
      await status('disconnected')
    })
  })
}
