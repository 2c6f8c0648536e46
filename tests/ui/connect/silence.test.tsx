// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askMs } from '../../../src/events/subjects/wallet/connection.ts'
import { ConnectingInstalled } from '../../../src/ui/connect/ConnectingInstalled.tsx'
import { announced, requested } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const wallet = { walletId: 'Phantom', name: 'Phantom' }
const said = () => screen.getByRole('status').textContent
const left = () => screen.queryByRole('timer')?.textContent || undefined

test('connecting: a silent wallet is explained after ten seconds, with the time left and a way out', () => {
  const on = onStage()
  const pass = (ms: number) =>
    act(() => {
      on.clock.now += ms
      vi.advanceTimersByTime(ms)
    })
  on.page(announced('Phantom'), { type: 'screen.opened', data: { screen: { name: 'Connect' } } })
  on.show(<ConnectingInstalled screen={{ name: 'ConnectingInstalled', wallet, walletKey: 'key-Phantom' }} />)
  on.facts(requested('installed', 'Phantom'))
  pass(9000)
  expect(said()).not.toContain('Nothing to see?')
  expect(screen.queryByText('Cancel')).toBeNull()
  expect(left()).toBeUndefined()
  pass(1000)
  expect(said()).toContain('Nothing to see? Open Phantom from the browser’s toolbar; it may be locked.')
  expect(left()).toBe('3:50 left.')
  pass(61_000)
  expect(left()).toBe('2:49 left.')
  fireEvent.click(screen.getByText('Ask again'))
  expect(said()).not.toContain('Nothing to see?')
  on.facts(requested('installed', 'Phantom', 'Phantom', 'a2'))
  pass(10_000)
  expect(left()).toBe('3:50 left.')
  pass(askMs - 10_000)
  expect(left()).toBeUndefined()
  fireEvent.click(screen.getByText('Cancel'))
  expect(on.commands.at(-1)).toEqual({ type: 'connection.abandon', data: {} })
  expect(on.said.at(-1)?.type).toBe('screen.back')
})
