/** A phone's page in engines other than Chromium: 390 px wide, with a finger where the driver has one. */
import { payments } from '../journeys/buying.ts'
import { engines, expect, installedQuill, test } from './fixtures.ts'
import { on, press, until } from './tab.ts'
import { variantOf } from './variant.ts'
import {
  connectByCode,
  connected,
  connectInstalled,
  disconnect,
  draft,
  inWallet,
  narrow,
  pay,
  phase,
} from './visitor.ts'

for (const engine of engines) {
  test.describe(engine, () => {
    test.use({ engine, device: 'phone' })

    test('at 390 px a visitor connects an installed wallet, then one by code, buys and reloads, and nothing is wider than the page @long', async ({
      published,
      stack,
      tab,
      wallet,
    }, info) => {
      const seen = async (name: string) => {
        await narrow(tab)
        await tab.picture(info.outputPath(`${name}.png`))
      }
      await tab.open(variantOf(published, 'with-quill', await installedQuill(stack, info.testId)))
      await press(tab, on('connect-button'))
      await until(tab, 'the list', css => document.querySelector(css), on('wallet-row'))
      await seen('1 list')
      await press(tab, on('modal-close'))
      await connectInstalled(tab)
      await seen('2 installed')
      await disconnect(tab)
      await seen('3 disconnected')

      const account = await connectByCode(tab, wallet)
      await seen('4 connected')
      await draft(tab, stack, account)
      await seen('5 order')
      await pay(
        tab,
        stack,
        inWallet(wallet, () => seen('6 asked')),
      )
      expect(payments(stack, account)).toHaveLength(1)
      await seen('7 paid')
      await tab.reload()
      expect(await connected(tab)).toBe(account)
      await phase(tab, 'finalised')
      await seen('8 reloaded')
      await press(tab, on('account-button'))
      await until(tab, 'the account', css => document.querySelector(css), on('disconnect'))
      await seen('9 account')
    })
  })
}
