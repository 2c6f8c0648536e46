import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageFact } from '../../../../src/events/app.ts'
import type { PageRecord } from '../../../../src/runtime/log/record.ts'
import type { Recorded } from '../../../../src/runtime/recording/recording.ts'
import { momentsOf } from '../../../../src/runtime/story/moments.ts'
import { foldTo } from '../../../../src/events/replay/foldTo.ts'
import type { Screen } from '../../../../src/events/subjects/page/screen.ts'
import { restatement } from '../../../../src/main/page/supervisor/restatement.ts'

const wallet = { walletId: 'w', name: 'Lantern' }
const screen = fc.constantFrom<Screen>(
  { name: 'Connect' },
  { name: 'AllWallets' },
  { name: 'ConnectingInstalled', wallet, walletKey: 'k1' },
  { name: 'ConnectingInstalled', wallet, walletKey: 'k2' },
  { name: 'WalletConnect' },
  { name: 'WalletConnect', wallet },
  { name: 'Account' },
  { name: 'WhatIsAWallet' },
  { name: 'GetWallet' },
)
const walletKey = fc.constantFrom('k1', 'k2')
const toastId = fc.constantFrom('t1', 't2')
const notice = { variant: 'error', message: 'No.', autoClose: true } as const
const announced = { features: [], chains: [], twin: false }

/** Page facts of a person who uses the page. */
const said: fc.Arbitrary<PageFact> = fc.oneof(
  screen.map(screen => ({ type: 'screen.opened', data: { screen } }) as const),
  screen.map(screen => ({ type: 'screen.shown', data: { screen } }) as const),
  screen.map(screen => ({ type: 'screen.replaced', data: { screen } }) as const),
  fc
    .constantFrom('screen.back' as const, 'screen.closed' as const, 'screen.refused' as const)
    .map(type => ({ type, data: {} })),
  fc.boolean().map(agreed => ({ type: 'screen.agreed', data: { agreed } }) as const),
  fc.boolean().map(legalCheckbox => ({ type: 'tab.featured', data: { features: { legalCheckbox } } }) as const),
  fc.boolean().map(send => ({ type: 'tab.featured', data: { features: {}, account: { send } } }) as const),
  fc.constantFrom('dark' as const, 'light' as const).map(theme => ({ type: 'tab.themed', data: { theme } }) as const),
  fc.boolean().map(open => ({ type: 'tab.otherBuild', data: { open } }) as const),
  walletKey.map(key => ({ type: 'installed.announced', data: { ...announced, walletKey: key, name: key } }) as const),
  walletKey.map(key => {
    const data = { ...announced, walletKey: key, name: key, identity: `i-${key}` }
    return { type: 'installed.announced', data } as const
  }),
  fc.subarray(['k1', 'k2']).map(walletKeys => ({ type: 'installed.alike', data: { walletKeys } }) as const),
  walletKey.map(walletKey => ({ type: 'installed.gone', data: { walletKey } }) as const),
  toastId.map(id => ({ type: 'toast.shown', data: { ...notice, toastId: id } }) as const),
  toastId.map(id => ({ type: 'toast.closed', data: { toastId: id } }) as const),
)
const life = 1
const attached = { type: 'tab.attached', data: { life } } as const

/** One tab's lane, from its `p`-th fact on. */
function recorded(facts: readonly PageFact[], p = 1): Recorded[] {
  return facts.map(({ type, data }, at) => {
    const record: PageRecord = { k: 'p', p: p + at, life, after: 0, tab: 't-1', at: 1, type, v: 1, data }
    return { record, line: JSON.stringify(record), number: at + 1 }
  })
}
const shownAfter = (records: Recorded[], index: number) => {
  const { screen, tab, installed, toast } = foldTo(momentsOf(records), index)
  return { screen, tab, installed, toast }
}

test('restatement: a page that restates its screen at any point has the same later screens without its earlier lines', () => {
  fc.assert(
    fc.property(fc.array(said, { maxLength: 20 }), fc.array(said, { maxLength: 20 }), (before, later) => {
      const whole = recorded([attached, ...before, ...later])
      const restated = restatement(foldTo(momentsOf(whole), before.length), life)
      const within = recorded([attached, ...before, restated, ...later])
      const forgotten = recorded([restated, ...later], before.length + 2)
      for (let at = 0; at <= later.length; at++) {
        const shown = shownAfter(whole, before.length + at)
        expect(shownAfter(within, before.length + 1 + at)).toEqual(shown)
        expect(shownAfter(forgotten, at)).toEqual(shown)
      }
    }),
  )
})
