// @vitest-environment happy-dom
/** Each screen that a log can name: in the replay of a fact, and in the list of screens. */
import { cleanup, screen } from '@testing-library/react'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import type { Screen } from '../../../src/events/subjects/page/screen.ts'
import { Modal } from '../../../src/ui/modal/Modal.tsx'
import { dataOf } from '../../events/facts.ts'
import { connected } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

const variants = pageFactDefinitions['screen.shown'].fields.screen.variants?.of ?? {}
const names = Object.keys(variants)
const list = readFileSync(join(import.meta.dirname, '../../../docs/screens.md'), 'utf8')

beforeEach(
  () =>
    void vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        disconnect() {}
      },
    ),
)
beforeEach(() => {
  // Nothing is rendered ahead
  vi.stubGlobal('requestIdleCallback', () => 0)
  vi.stubGlobal('cancelIdleCallback', () => undefined)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe.each(names)('screen %s', name => {
  const data = fc.sample(dataOf(variants[name] ?? {}), { numRuns: 1, seed: 1 })[0]
  const shown = { ...data, name } as Screen

  test('is shown by the fact that names it, with a title, and left by the fact that closes it', async () => {
    const on = onStage()
    on.facts(connected())
    on.page({ type: 'screen.opened', data: { screen: shown } })
    on.show(<Modal />)
    await settle()
    const sheet = screen.getByTestId('modal')
    expect(screen.getByTestId('modal-title').textContent).not.toBe('')
    expect(sheet.querySelector('.sheet-body')?.childElementCount).toBeGreaterThan(0)
    on.page({ type: 'screen.closed', data: {} })
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('stands in the list of screens, with the way to it', () => {
    expect(list).toMatch(new RegExp(`^\\| ${name} \\| [^|]+ \\| [^|]+ \\|`, 'm'))
  })
})

test('screens: all names are tried', () => {
  expect([...names].sort()).toEqual([
    'Account',
    'AllWallets',
    'Connect',
    'ConnectWallets',
    'ConnectingInstalled',
    'ConnectingWalletConnectBasic',
    'Downloads',
    'GetWallet',
    'Networks',
    'ProfileWallets',
    'SwitchNetwork',
    'Transactions',
    'UnsupportedChain',
    'WalletCompatibleNetworks',
    'WalletConnect',
    'WalletReceive',
    'WalletSend',
    'WalletSendConfirmed',
    'WalletSendPreview',
    'WalletSendSelectToken',
    'WhatIsANetwork',
    'WhatIsAWallet',
  ])
})
