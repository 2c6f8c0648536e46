import { describe, expect, test } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import { decode } from '../../../src/events/log/decode.ts'
import type { PageRecord } from '../../../src/runtime/log/record.ts'
import type { Screen } from '../../../src/events/subjects/page/screen.ts'
import { shownScreen } from '../../../src/events/subjects/page/screenFold.ts'
import { given, type Said, after, wallet } from './given.ts'

const opened: Said = { type: 'screen.opened', data: { screen: { name: 'Connect' } } }
const shown = (screen: Screen): Said => ({ type: 'screen.shown', data: { screen } })
const all = shown({ name: 'AllWallets' })
const back: Said = { type: 'screen.back', data: {} }
const refused: Said = { type: 'screen.refused', data: {} }
const closed: Said = { type: 'screen.closed', data: {} }

describe('the modal', () => {
  test('opens, goes forward and back the same way, and closes behind its first screen', () => {
    const on = given(opened, all, shown({ name: 'ConnectingInstalled', wallet, walletKey: 'k' }))
    expect(shownScreen(on)).toEqual({ name: 'ConnectingInstalled', wallet, walletKey: 'k' })
    const before = after(on, back)
    expect(shownScreen(before)?.name).toBe('AllWallets')
    expect(before.screen.direction).toBe('previous')
    expect(shownScreen(after(after(before, back), back))).toBeUndefined()
  })

  test('shows a repeated screen once, but another wallet is another screen', () => {
    const model = given(opened, shown({ name: 'WalletConnect', wallet }))
    expect(after(model, shown({ name: 'WalletConnect', wallet }))).toBe(model)
    const other = after(model, shown({ name: 'WalletConnect', wallet: { walletId: 'torch', name: 'Torch' } }))
    expect(other.screen.history).toHaveLength(3)
  })

  test('replaces the screen on show, and shows none twice in a row', () => {
    const replaced = (screen: Screen): Said => ({ type: 'screen.replaced', data: { screen } })
    const names = (model: Model) => model.screen.history.map(({ name }) => name)
    const model = given(opened, all)
    expect(names(after(model, replaced({ name: 'GetWallet' })))).toEqual(['Connect', 'GetWallet'])
    expect(names(after(model, replaced({ name: 'Connect' })))).toEqual(['Connect'])
    expect(after(after(model, back), replaced({ name: 'Account' })).screen).toMatchObject({
      history: [{ name: 'Account' }],
      direction: 'previous',
    })
  })

  test('counts refused closings until it is closed, and keeps the word on the documents beyond', () => {
    const agreed: Said = { type: 'screen.agreed', data: { agreed: true } }
    const model = given(opened, refused, agreed, refused)
    expect(model.screen).toMatchObject({ shakes: 2, agreed: true })
    const again = after(after(model, closed), opened)
    expect(again.screen).toMatchObject({ shakes: 0, agreed: true })
    expect(after(again, { type: 'screen.agreed', data: { agreed: false } }).screen.agreed).toBe(false)
  })

  test('that is closed has no screen to show or leave', () => {
    const empty = given()
    for (const fact of [all, back, closed, refused]) expect(after(empty, fact)).toBe(empty)
  })
})

describe('the tab', () => {
  const attached = (life: number): Said => ({ type: 'tab.attached', data: { life } })
  test('keeps its width, theme and language through every change of its core', () => {
    const model = given(
      { type: 'tab.opened', data: { width: 400, theme: 'dark', language: 'de' } },
      attached(1),
      { type: 'tab.coreLost', data: { reason: 'x' } },
      attached(2),
      { type: 'tab.themed', data: { theme: 'light' } },
    )
    expect(model.tab).toEqual({ phase: 'attached', life: 2, width: 400, theme: 'light', language: 'de' })
  })

  test('keeps the host’s features, each by its last word, through changes of its core', () => {
    const featured = (features: object, account?: object): Said => ({
      type: 'tab.featured',
      data: { features, ...(account && { account }) },
    })
    const model = given(
      featured({ legalCheckbox: true, collapseWallets: true }),
      attached(1),
      featured({ collapseWallets: false }, { send: false, activity: false }),
      featured({}, { send: true }),
      { type: 'tab.coreLost', data: { reason: 'x' } },
    )
    expect(model.tab.account).toEqual({ send: true, activity: false })
    expect(model.tab.features).toEqual({ legalCheckbox: true, collapseWallets: false })
  })

  test('that is outdated stays so until it is opened again', () => {
    const model = given(attached(1), { type: 'tab.outdated', data: {} })
    const facts: Said[] = [
      attached(2),
      { type: 'tab.coreLost', data: { reason: 'x' } },
      { type: 'tab.elsewhere', data: {} },
      { type: 'tab.blocked', data: { message: 'x' } },
      { type: 'tab.outdated', data: {} },
    ]
    for (const fact of facts) expect(after(model, fact)).toBe(model)
    const anew = after(model, { type: 'tab.opened', data: { width: 1, theme: 'dark', language: 'de' } })
    expect(anew.tab.phase).toBe('starting')
  })
})

describe('a page that restates all it shows', () => {
  const said: Said[] = [
    { type: 'tab.opened', data: { width: 400, theme: 'dark', language: 'de' } },
    { type: 'installed.announced', data: { walletKey: 'k', name: 'Lantern', features: [], chains: [], twin: false } },
    { type: 'tab.attached', data: { life: 3 } },
    { type: 'screen.opened', data: { screen: { name: 'Connect' } } },
    { type: 'screen.shown', data: { screen: { name: 'AllWallets' } } },
    { type: 'toast.shown', data: { toastId: 't', variant: 'success', message: 'm', autoClose: true } },
    { type: 'tab.otherBuild', data: { open: true } },
  ]
  const restated = (model: Model): Said => {
    const { tab, screen, toast, installed } = model
    const { width, theme, language } = tab
    const data = { width, theme, language, life: 3, otherBuild: true, screen, installed, ...(toast ? { toast } : {}) }
    return { type: 'tab.restated', data }
  }

  test('has the same later screens from there on', () => {
    const model = given(...said)
    expect(given(restated(model))).toEqual(model)
    expect(after(model, restated(model))).toEqual(model)
  })

  test('that was outdated stays so', () => {
    const model = given(...said, { type: 'tab.outdated', data: {} })
    expect(after(model, restated(model)).tab.phase).toBe('outdated')
  })
})

describe('the toast', () => {
  const toast = (toastId: string): Said => ({
    type: 'toast.shown',
    data: { toastId, variant: 'success', message: 'm', autoClose: true },
  })
  test('is a single one, and is closed by its own id only', () => {
    const model = given(toast('t1'), toast('t2'))
    expect(model.toast?.toastId).toBe('t2')
    expect(after(model, { type: 'toast.closed', data: { toastId: 't1' } })).toBe(model)
    expect(after(model, { type: 'toast.closed', data: { toastId: 't2' } }).toast).toBeNull()
  })
})

describe('installed wallets', () => {
  const announced = (walletKey: string): Said => ({
    type: 'installed.announced',
    data: { walletKey, name: 'Lantern', features: [], chains: [], twin: false },
  })
  test('are announced once and removed', () => {
    const model = given(announced('k1'), announced('k2'))
    expect(model.installed.map(one => one.walletKey)).toEqual(['k1', 'k2'])
    expect(after(model, announced('k1'))).toBe(model)
    expect(after(model, { type: 'installed.gone', data: { walletKey: 'k1' } }).installed).toHaveLength(1)
    expect(after(model, { type: 'installed.gone', data: { walletKey: 'k9' } })).toBe(model)
    expect(after(model, { type: 'installed.refused', data: { message: 'x' } })).toBe(model)
  })
})

describe('screens written by older builds', () => {
  const head = '{"k":"p","p":4,"life":1,"after":8,"tab":"t1","at":1,'
  const quill = { walletId: 'Quill', name: 'Quill' }
  const read = (type: string, data: string) => decode(`${head}"type":"${type}","v":1,"data":${data}}`)
  const wallet = JSON.stringify(quill)

  test.each<[string, Screen]>([
    ['{"name":"Connect"}', { name: 'Connect' }],
    ['{"name":"WalletConnect"}', { name: 'WalletConnect' }],
    [`{"name":"WalletConnect","wallet":${wallet}}`, { name: 'WalletConnect', wallet: quill }],
    [
      `{"name":"ConnectingInstalled","wallet":${wallet},"walletKey":"k"}`,
      { name: 'ConnectingInstalled', wallet: quill, walletKey: 'k' },
    ],
    // Fields of other screens, which the old form allowed
    ['{"name":"ConnectingInstalled","walletKey":"k"}', { name: 'Connect' }],
    [`{"name":"GetWallet","wallet":${wallet},"walletKey":"k"}`, { name: 'GetWallet' }],
  ])('%s is lifted', (data, screen) => {
    for (const type of ['screen.opened', 'screen.shown'])
      expect(read(type, data)).toMatchObject({ v: 3, data: { screen } })
    const page = '"width":1,"theme":"dark","language":"en","otherBuild":false,"installed":[]'
    const view = `{"open":true,"history":[${data}],"direction":"next","shakes":0}`
    const { v, data: lifted } = read('tab.restated', `{${page},"screen":${view}}`) as PageRecord
    expect([v, lifted.screen]).toEqual([3, { open: true, history: [screen], direction: 'next', shakes: 0 }])
  })

  test('those of version 2 stay as they are', () => {
    const line = `${head}"type":"screen.shown","v":2,"data":{"screen":{"name":"AllWallets"}}}`
    expect(decode(line)).toMatchObject({ v: 3, data: { screen: { name: 'AllWallets' } } })
  })

  test('a screen without its wallet is refused', () => {
    const line = `${head}"type":"screen.opened","v":2,"data":{"screen":{"name":"ConnectingInstalled","walletKey":"k"}}}`
    expect(() => decode(line)).toThrow('screen.opened: screen.wallet')
  })
})
