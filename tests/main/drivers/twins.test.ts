/** Wallets that pose as another: no announcement proves an identity, so no ambiguous wallet is called. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { PageFact } from '../../../src/events/app.ts'
import type { InstalledFact, InstalledView } from '../../../src/events/subjects/wallet/installed.ts'
import { foldInstalled } from '../../../src/events/subjects/wallet/installedFold.ts'
import type { PageAnswer } from '../../../src/events/wire.ts'
import { stills } from './pictures/samples.ts'
import {
  account,
  connecting,
  page,
  restoring,
  sending,
  settled,
  signing,
  type SmallOptions,
  smallWallet,
  watching,
} from './smallWallet.ts'

const own = account(1)
const spoofing = (name: string, more: SmallOptions = {}) =>
  smallWallet({ name, icon: `data:image/gif;base64,${stills.gif}`, accounts: [own], ...more })

/** Marks on a page after these facts. */
function marks(said: readonly PageFact[]): Record<string, boolean> {
  const model: { installed: InstalledView } = { installed: [] }
  for (const fact of said) foldInstalled(model, structuredClone(fact) as InstalledFact)
  return Object.fromEntries(model.installed.map(({ walletKey, twin }) => [walletKey, twin]))
}

const codeOf = (answer: PageAnswer | undefined) => (answer?.type === 'wallet.failed' ? answer.failure.code : undefined)
const identityOf = (answer: PageAnswer | undefined) =>
  answer?.type === 'wallet.connected' ? answer.identity : undefined

/** The record of a wallet connected on an earlier visit. */
async function recorded(wallet: unknown, name = 'Quill'): Promise<string | undefined> {
  const before = await page(wallet)
  return identityOf(await before.ask(connecting(name)))
}

describe('twins: wallets whose names look alike', () => {
  test('are all marked, in any order, until one of them goes', async () => {
    const { said, announce } = await page(spoofing('Quill').wallet)
    expect(marks(said)).toEqual({ Quill: false })
    const takeBack = announce(smallWallet().wallet)
    announce(smallWallet({ name: 'Heron' }).wallet)
    await settled()
    expect(marks(said)).toEqual({ Quill: true, 'Quill #2': true, Heron: false })
    takeBack()
    await settled()
    expect(marks(said)).toEqual({ Quill: false, Heron: false })
  })

  test.each([
    ['another case', 'QUILL'],
    ['a Cyrillic letter', 'Qu\u0456ll'],
    ['a Hangul filler', 'Quill\u3164'],
    ['a braille blank', 'Quill\u2800'],
    ['a variation selector', 'Qui\ufe0fll'],
    ['a zero-width space', 'Qui\u200bll'],
    ['fullwidth letters', 'Ｑｕｉｌｌ'],
    ['mathematical letters', '𝐐𝓊𝓲𝔩𝕝'],
    ['combining marks', 'Qui\u0323ll\u0336'],
    ['a right-to-left mark', '\u200fQuill'],
    ['a capital I', 'QuiIl'],
    ['a full stop', 'Quill.'],
  ])('are marked with %s', async (_, name) => {
    const { said } = await page(spoofing(name).wallet, smallWallet().wallet)
    await expect.poll(() => Object.values(marks(said))).toEqual([true, true])
  })

  test('of a flood at once add one fact', async () => {
    const { said } = await page(...Array.from({ length: 64 }, () => smallWallet().wallet))
    await expect.poll(() => said.filter(({ type }) => type === 'installed.alike')).toHaveLength(1)
    expect(Object.values(marks(said))).toEqual(Array.from({ length: 64 }, () => true))
  })
})

describe('twins: a connection of an earlier visit', () => {
  test.each(['first', 'second'])(
    'asks nobody while a spoof is there that came %s; a press asks the true one',
    async when => {
      const [spoof, honest] = [spoofing('Quill'), smallWallet({ accounts: [own] })]
      const identity = await recorded(smallWallet().wallet)
      const wallets = when === 'first' ? [spoof.wallet, honest.wallet] : [honest.wallet, spoof.wallet]
      const { ask, perform, said, delivered } = await page(...wallets)
      const id = perform(restoring('Quill', identity))
      await expect.poll(() => codeOf(delivered.find(({ effectId }) => effectId === id)?.answer)).toBe('unauthorized')
      perform(watching(own, 'c1', 'Quill', identity))
      expect(codeOf(await ask(signing(own, 'Quill', identity)))).toBe('unauthorized')
      expect([spoof.calls, honest.calls]).toEqual([[], []])

      const row = said.find(fact => fact.type === 'installed.announced' && fact.data.identity === identity)
      const walletKey = row?.type === 'installed.announced' ? row.data.walletKey : ''
      expect(identityOf(await ask(connecting('Quill', walletKey)))).toBe(identity)
      perform(watching(own, 'c1', 'Quill', identity))
      expect((await ask(signing(own, 'Quill', identity)))?.type).toBe('wallet.signed')
      expect([honest.times('connect'), honest.times('signTransaction'), spoof.calls]).toEqual([1, 1, []])
    },
  )

  test.each([
    ['another picture', spoofing('Quill'), 'unauthorized'],
    ['no picture', smallWallet({ icon: undefined }), 'unauthorized'],
    ['a name that only looks the same', smallWallet({ name: 'Qu\u0456ll' }), undefined],
  ])('does not ask the only wallet there when it has %s', async (_, small, code) => {
    const identity = await recorded(smallWallet().wallet)
    const { ask } = await page(small.wallet)
    expect(codeOf(await ask(restoring('Quill', identity)))).toBe(code)
    await ask(watching(own, 'c1', 'Quill', identity))
    expect((await ask(signing(own, 'Quill', identity)))?.type).toBe('wallet.failed')
    expect(small.calls).toEqual([])
  })

  test('that was restored signs neither with a later perfect copy, nor with its wallet before a press', async () => {
    const identity = await recorded(smallWallet().wallet)
    const [honest, copy] = [smallWallet(), smallWallet({ accounts: [own] })]
    const { ask, announce, said } = await page(honest.wallet)
    await ask(restoring('Quill', identity))
    await ask(watching(own, 'c1', 'Quill', identity))
    expect(honest.followers()).toBe(1)
    announce(copy.wallet)
    await expect.poll(() => marks(said)).toEqual({ Quill: true, 'Quill #2': true })
    await expect.poll(() => honest.followers()).toBe(0)
    expect(codeOf(await ask(signing(own, 'Quill', identity)))).toBe('unauthorized')
    expect(codeOf(await ask({ ...sending(own), data: signing(own, 'Quill', identity).data }))).toBe('unauthorized')
    expect([honest.times('signTransaction'), copy.calls]).toEqual([0, []])
    await ask(connecting('Quill', 'Quill'))
    expect((await ask(signing(own, 'Quill', identity)))?.type).toBe('wallet.signed')
    expect([honest.times('signTransaction'), copy.calls]).toEqual([1, []])
  })

  test('is not restored by a wallet that gained a twin during the silent connect', async () => {
    const identity = await recorded(smallWallet().wallet)
    let joins = () => {}
    const honest = smallWallet({
      connect: () => {
        joins()
        return { accounts: [own] }
      },
    })
    const { perform, announce, delivered } = await page(honest.wallet)
    joins = () => void announce(smallWallet().wallet)
    perform(restoring('Quill', identity))
    await expect.poll(() => codeOf(delivered.at(-1)?.answer)).toBe('unauthorized')
  })

  test('continues with the wallet pressed in this page, whichever comes later', async () => {
    const small = smallWallet()
    const { ask, perform, announce, said } = await page(small.wallet)
    const identity = identityOf(await ask(connecting()))
    perform(watching(own, 'c1', 'Quill', identity))
    const copy = smallWallet({ accounts: [own] })
    announce(copy.wallet)
    await expect.poll(() => marks(said)).toEqual({ Quill: true, 'Quill #2': true })
    expect((await ask(signing(own, 'Quill', identity)))?.type).toBe('wallet.signed')
    expect([small.followers(), copy.calls]).toEqual([1, []])
  })

  test('without a recorded identity uses the only wallet of its name', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    expect(identityOf(await ask(restoring()))).toMatch(/^[0-9a-f]{16}$/)
  })
})

describe('twins: without the table of lookalikes', () => {
  afterEach(() => {
    vi.doUnmock('../../../src/events/values/text/lookalike.ts')
    vi.resetModules()
  })

  test('any two wallets may be confused, and none is called without a press', async () => {
    vi.resetModules()
    vi.doMock('../../../src/events/values/text/lookalike.ts', () => {
      throw new Error('this part of the page is gone')
    })
    const fresh = await import('./smallWallet.ts')
    const [small, other] = [fresh.smallWallet(), fresh.smallWallet({ name: 'Heron' })]
    const { ask, perform, delivered } = await fresh.page(small.wallet, other.wallet)
    const id = perform(restoring())
    await expect.poll(() => codeOf(delivered.find(({ effectId }) => effectId === id)?.answer)).toBe('unauthorized')
    expect([small.calls, other.calls]).toEqual([[], []])
    await ask(connecting())
    expect((await ask(signing(own)))?.type).toBe('wallet.signed')
  })
})
