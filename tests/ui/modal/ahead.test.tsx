// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Modal } from '../../../src/ui/modal/Modal.tsx'
import { announced, connected, opened } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

// Connect is rendered ahead, hidden, while the page is idle

const idle = new Set<() => void>()
beforeEach(() => {
  idle.clear()
  vi.stubGlobal('requestIdleCallback', (task: () => void) => (idle.add(task), task))
  vi.stubGlobal('cancelIdleCallback', (task: () => void) => idle.delete(task))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function ahead() {
  const walletImage = vi.fn(async () => undefined)
  const on = onStage({ walletImage })
  on.page(announced('Phantom'))
  on.show(<Modal />)
  await act(async () => {
    for (const task of idle) task()
    idle.clear()
  })
  return { ...on, walletImage }
}
const names = () => screen.getAllByTestId('wallet-row').map(row => row.dataset.wallet)
const overlay = () => screen.getByTestId('modal').parentElement as HTMLElement

test('ahead of its opening the modal is hidden from everybody, and asks for nothing', async () => {
  const lock = vi.spyOn(document.documentElement.style, 'setProperty')
  const { commands, said, walletImage } = await ahead()
  expect(overlay().style.getPropertyValue('display')).toBe('none')
  expect(overlay().style.getPropertyPriority('display')).toBe('important')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect([document.activeElement, commands, said]).toEqual([document.body, [], []])
  expect(walletImage).not.toHaveBeenCalled()
  expect(lock).not.toHaveBeenCalled()
  lock.mockRestore()
})

test('opening shows the elements rendered ahead, adds none, and only then reads directory and project', async () => {
  const on = await ahead()
  const [sheet, rows] = [screen.getByTestId('modal'), screen.getAllByTestId('wallet-row')]
  const changes: MutationRecord[] = []
  const watcher = new MutationObserver(records => void changes.push(...records))
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  on.page(opened())
  changes.push(...watcher.takeRecords())
  watcher.disconnect()
  expect(changes).toEqual([])
  expect(overlay().style.getPropertyValue('display')).toBe('')
  expect([screen.getByRole('dialog'), ...screen.getAllByTestId('wallet-row')]).toEqual([sheet, ...rows])
  expect(document.activeElement).toBe(sheet)
  expect(on.commands.map(({ type }) => type)).toEqual(['listing.open', 'project.open'])
})

test('opening shows the wallets announced since', async () => {
  const on = await ahead()
  on.page(announced('Backpack'))
  expect(names()).toEqual(['WalletConnect', 'Phantom'])
  on.page(opened())
  expect(names()).toEqual(['WalletConnect', 'Phantom', 'Backpack'])
})

test('nothing is rendered ahead while a wallet is connected, and a connection takes it back', async () => {
  const on = await ahead()
  on.facts(connected())
  expect(screen.queryByTestId('modal')).toBeNull()
  on.page(opened())
  expect(names()).toEqual(['WalletConnect', 'Phantom'])
  expect(on.store.model().screen.open).toBe(true)
})

test('another screen than Connect opens, too', async () => {
  const on = await ahead()
  on.facts(connected())
  on.page(opened('Account'))
  expect(screen.getByRole('dialog').getAttribute('aria-label')).toBe('Account')
})

test('a closed modal is gone, and not rendered ahead again', async () => {
  const on = await ahead()
  on.page(opened())
  on.page({ type: 'screen.closed', data: {} })
  expect([screen.queryByTestId('modal'), idle.size]).toEqual([null, 0])
})

test('a modal opened before the page was idle renders nothing ahead', async () => {
  const on = onStage()
  on.page(opened())
  on.show(<Modal />)
  expect(idle.size).toBe(0)
  on.page({ type: 'screen.closed', data: {} })
  expect([screen.queryByTestId('modal'), idle.size]).toEqual([null, 0])
})
