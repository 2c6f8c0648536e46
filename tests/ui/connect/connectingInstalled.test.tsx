// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { FailureCode } from '../../../src/runtime/failure.ts'
import { ConnectingInstalled } from '../../../src/ui/connect/ConnectingInstalled.tsx'
import type { Surroundings } from '../../../src/ui/react.tsx'
import { announced, failed, requested } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

afterEach(cleanup)

const wallet = { walletId: 'Phantom', name: 'Phantom' }
const again = { type: 'connection.connectInstalled', data: { walletKey: 'key-Phantom', wallet } }

function open(over?: Partial<Surroundings>) {
  const on = onStage(over)
  on.page(announced('Phantom'))
  on.show(<ConnectingInstalled screen={{ name: 'ConnectingInstalled', wallet, walletKey: 'key-Phantom' }} />)
  return on
}
const said = () => screen.getByRole('status').textContent

test('connecting: a pending request is shown, and can be repeated', () => {
  const on = open()
  expect(said()).toBe('Continue in PhantomApprove the connection in the wallet.')
  on.facts(requested('installed', 'Phantom'))
  expect(said()).toBe('Continue in PhantomApprove the connection in the wallet.')
  fireEvent.click(screen.getByText('Ask again'))
  expect(on.commands).toEqual([again])
})

const ends: [FailureCode, string, string][] = [
  ['user_rejected', 'You declined', 'Nothing was shared. Try again whenever you like.'],
  ['wallet_gone', 'Phantom has not answered', 'The request expired. Unlock it and ask again.'],
  ['wallet_locked', 'Phantom is locked', 'Unlock it and ask again.'],
  ['busy', 'Phantom is asking already', 'Open it and answer the request that waits there.'],
  ['unsupported', 'Phantom cannot be used here', 'It cannot sign for Solana. Your wallet and funds are not affected.'],
  ['bad_response', 'Phantom shared no account', 'Its answer cannot be used. Your wallet and funds are not affected.'],
  ['unknown', 'Could not reach Phantom', 'Something went wrong on the way. Your wallet and funds are not affected.'],
]
test.each(ends)('connecting: an attempt that ended with %s reads "%s" and can be repeated', (code, title, text) => {
  const on = open()
  on.facts(requested('installed', 'Phantom'), failed(code))
  expect(said()).toBe(title + text)
  fireEvent.click(screen.getByText('Try again'))
  expect(on.commands).toEqual([again])
  on.facts(requested('installed', 'Phantom', 'Phantom', 'a2'))
  expect(said()).toContain('Continue in Phantom')
})

test('connecting: a page limited to one tab tells the second tab so instead of waiting for ever', () => {
  const on = open()
  on.page({ type: 'tab.elsewhere', data: { why: 'oneTab' } })
  expect(said()).toBe('This page is open elsewhereConnect in the other tab, or close it.')
  on.page({ type: 'tab.attached', data: { life: 1 } })
  expect(said()).toContain('Continue in Phantom')
})

test('connecting: a page beside a leading tab of another build names that tab, and its one button takes over', () => {
  const takeOver = vi.fn(async () => undefined)
  const on = open({ takeOver })
  on.page({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })
  expect(said()).toBe(
    'This page is open elsewhereAnother version of this page is open in another tab. Continue there, or here.',
  )
  fireEvent.click(screen.getByRole('button'))
  expect(takeOver).toHaveBeenCalledOnce()
  expect(on.commands).toEqual([])
})

test('connecting: no two causes read the same', () => {
  expect(new Set(ends.map(([, title]) => title)).size).toBe(ends.length)
})

test('connecting: the end of an attempt on another wallet is not shown', () => {
  const on = open()
  on.facts(requested('installed', 'Backpack'), failed('user_rejected'))
  expect(said()).toContain('Continue in Phantom')
})

test('connecting: a page that has changed offers to reload it', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  const on = open()
  on.facts(requested('installed', 'Phantom'), failed('unknown'))
  expect(screen.queryByText('Reload the page')).toBeNull()
  on.facts(requested('installed', 'Phantom', 'Phantom', 'a2'), {
    type: 'connection.failed',
    data: { attemptId: 'a2', failure: { code: 'reload_needed', message: 'the file has changed' } },
  })
  fireEvent.click(screen.getByText('Reload the page'))
  expect(reload).toHaveBeenCalledOnce()
  expect(screen.getByText('Try again')).toBeDefined()
})
