import { describe, expect, test } from 'vitest'
import { createLinks } from '../../../src/main/drivers/links.ts'

type Around = { focus?: boolean; active?: boolean | undefined; framed?: boolean; telegram?: boolean }

function page({ focus = true, active = true, framed = false, telegram = false }: Around = {}) {
  const opened: [string, string, string][] = []
  const made: Record<string, unknown> = {
    open: (url: string, target: string, features: string) => void opened.push([url, target, features]),
    document: { hasFocus: () => focus },
    navigator: active === undefined ? {} : { userActivation: { isActive: active } },
    ...(telegram && { TelegramWebviewProxy: {} }),
  }
  made.top = framed ? {} : made
  return { open: createLinks(made as never), opened }
}
const effect = (link: string, requestId = '17') =>
  ({ id: `e-${requestId}`, type: 'link.open', data: { link, requestId, sessionTopic: 'ab' } }) as const

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
    expect(opened).toEqual([[expect.stringContaining('requestId=17&sessionTopic=ab'), target, 'noreferrer noopener']])
  })

  test.each<[string, Around, string]>([
    ['the page has no focus', { focus: false }, 'noFocus'],
    ['nobody has pressed anything lately', { active: false }, 'noPress'],
  ])('is not opened when %s', (_what, around, why) => {
    const { open, opened } = page(around)
    expect(open(effect('lantern://'))).toEqual({ type: 'link.skipped', why })
    expect(opened).toEqual([])
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
