import { describe, expect, test } from 'vitest'
import { createLinks } from '../../../src/main/drivers/links.ts'

type Around = {
  focus?: boolean
  active?: boolean | undefined
  framed?: boolean
  telegram?: boolean
  /** windows of scripts are blocked, as in WebKit */
  blocked?: boolean
}

function page({ focus = true, active = true, framed = false, telegram = false, blocked = false }: Around = {}) {
  const opened: [string, string][] = []
  const windows: { opener: unknown }[] = []
  const waiting: string[] = []
  const made: Record<string, unknown> = {
    open(url: string, target: string) {
      if (blocked) return null
      opened.push([url, target])
      const window = target === '_blank' ? { opener: made } : (made as { opener: unknown })
      windows.push(window)
      return window
    },
    opener: 'the opener of this page',
    document: { hasFocus: () => focus },
    navigator: active === undefined ? {} : { userActivation: { isActive: active } },
    ...(telegram && { TelegramWebviewProxy: {} }),
  }
  made.top = framed ? {} : made
  return { ...createLinks(made as never, requestId => waiting.push(requestId)), opened, windows, waiting }
}
const effect = (link: string, requestId = '17') =>
  ({ id: `e-${requestId}`, type: 'link.open', data: { link, requestId, sessionTopic: 'ab' } }) as const
const universal = 'https://lantern.example/app'
const message = {
  id: 'e-1',
  type: 'link.send',
  data: { callId: 'c1', topic: 'ab', messageRef: 'm', universal, url: `${universal}?wc_ev=AA`, requestId: '17' },
} as const
const nothingKnown = { request: {}, session: {}, link: { chosen: {}, apps: [], last: null } }

describe('a wallet’s link', () => {
  test.each<[string, string, Around, string]>([
    ['an app', 'lantern://', {}, '_self'],
    ['a web address', 'https://lantern.example/app', {}, '_blank'],
    ['an app, from within a frame', 'lantern://', { framed: true }, '_top'],
    ['a web address, from within a frame', 'https://lantern.example', { framed: true }, '_top'],
    ['an app, within Telegram', 'lantern://', { telegram: true }, '_blank'],
  ])('of %s opens in its place', (_what, link, around, target) => {
    const { open, opened } = page(around)
    expect(open(effect(link))).toEqual({ type: 'link.opened' })
    expect(opened).toEqual([[expect.stringContaining('requestId=17&sessionTopic=ab'), target]])
  })

  test('gives its new window no opener, and leaves this window its own', () => {
    const { open, windows } = page()
    open(effect('https://lantern.example'))
    open(effect('lantern://', '18'))
    expect(windows.map(({ opener }) => opener)).toEqual([null, 'the opener of this page'])
  })

  test.each<[string, Around, string]>([
    ['the page has no focus', { focus: false }, 'noFocus'],
    ['nobody has pressed anything lately', { active: false }, 'noPress'],
    ['the browser blocks it', { blocked: true }, 'noPress'],
  ])('is not opened when %s, and waits for a press', (_what, around, why) => {
    const { open, opened, waiting } = page(around)
    expect(open(effect('lantern://'))).toEqual({ type: 'link.skipped', why })
    expect([opened, waiting]).toEqual([[], ['17']])
  })

  test('with a message is ordered again after a press, and counts as opened then, never before', async () => {
    const { open, linkOf, pressed, opened } = page({ blocked: true })
    expect([open(message), open(message)]).toEqual(Array(2).fill({ type: 'link.skipped', why: 'noPress' }))
    expect(await linkOf('17', nothingKnown)).toMatchObject({ url: `${universal}?wc_ev=AA`, target: '_blank' })
    expect(pressed('17')).toBe(true)
    expect(open(message)).toEqual({ type: 'link.skipped', why: 'again' })
    expect(opened).toEqual([])
  })

  test('of a request can be pressed as soon as it is ordered, opened or not', async () => {
    const { open, linkOf, pressed } = page()
    const link = linkOf('17', nothingKnown)
    open(effect('lantern://'))
    expect(await link).toEqual({ url: 'lantern://wc?requestId=17&sessionTopic=ab', target: '_self' })
    expect(pressed('17')).toBe(false)
  })

  test('of a request from before a reload is made from the model, unless its session forbids links', async () => {
    const { linkOf } = page()
    const session = { ab: { pairingTopic: 'p' } } as never
    const known = { request: { 17: { sessionTopic: 'ab' } as never }, session }
    const link = { chosen: { p: 'lantern://' }, apps: [], last: null }
    expect(await linkOf('17', { ...known, link })).toMatchObject({
      url: expect.stringContaining('requestId=17&sessionTopic=ab'),
    })
    const forbidden = { ab: { pairingTopic: 'p', disableDeepLink: true } } as never
    const waits = linkOf('17', { ...known, session: forbidden, link })
    expect(await Promise.race([waits, Promise.resolve('nothing yet')])).toBe('nothing yet')
  })

  test('is opened in a browser without user activation', () => {
    expect(page({ active: undefined }).open(effect('lantern://'))).toEqual({ type: 'link.opened' })
  })

  test('is opened once for each request, also on repeated effects', () => {
    const { open, opened } = page()
    open(effect('lantern://'))
    expect(open({ ...effect('lantern://'), id: 'e-2' })).toEqual({ type: 'link.skipped', why: 'again' })
    expect(open(effect('lantern://', '18'))).toEqual({ type: 'link.opened' })
    expect(opened).toHaveLength(2)
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'http://lantern.example', 'blob:x', 'lantern'])(
    'that is %s is refused and never opened',
    link => {
      const { open, opened } = page()
      expect(open(effect(link))).toEqual({ type: 'link.skipped', why: 'refused' })
      expect(opened).toEqual([])
    },
  )
})
