// @vitest-environment happy-dom
import './lateParts.ts'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CoreSideFact } from '../../src/events/app.ts'
import { App } from '../../src/ui/App.tsx'
import { account, opened } from './modalStage.ts'
import { onStage, settle } from './onStage.tsx'
import { soon } from '../soon.ts'

const fails = vi.hoisted(() => ({ page: false, modal: false }))
vi.mock('../../src/ui/presale/PresalePage.tsx', () => ({
  PresalePage() {
    if (fails.page) throw new Error('a component failed')
    return <p>the page</p>
  },
}))
vi.mock('../../src/ui/modal/Modal.tsx', () => ({
  Modal() {
    if (fails.modal) throw new Error('a component failed')
    return <p>the modal</p>
  },
}))

beforeEach(() => {
  // React prints caught errors on the console
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  fails.page = false
  fails.modal = false
  vi.restoreAllMocks()
  document.body.replaceChildren()
})

const orderId = 'order-1'
const sending: CoreSideFact[] = [
  {
    type: 'order.drafted',
    data: { orderId, account, connectionId: 'c1', walletName: 'Phantom', asset: 'SOL', units: '1' },
  },
  { type: 'order.quoted', data: { orderId, quoted: '1', min: '1' } },
]

test('app: a page that cannot be drawn still shows the order’s state, and can be drawn again', async () => {
  const stage = onStage()
  stage.facts(...sending)
  fails.page = true
  stage.show(<App />)
  expect((await screen.findByTestId('order-status')).dataset.phase).toBe('quoted')
  expect(screen.getByTestId('order-status').textContent).toContain('nothing is paid yet')
  fireEvent.click(screen.getByTestId('download-recording'))
  await settle()
  expect(stage.saved.count).toBe(1)
  fails.page = false
  fireEvent.click(screen.getByText('Try again'))
  expect(screen.getByText('the page')).toBeTruthy()
})

test('app: without an order it tells that nothing was paid', async () => {
  fails.page = true
  onStage().show(<App />)
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing was paid or lost')
})

test('app: a modal that cannot be drawn ahead says nothing, until it is opened', async () => {
  const stage = onStage()
  fails.modal = true
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (task: () => void) => idle.push(task))
  vi.stubGlobal('cancelIdleCallback', () => undefined)
  stage.show(<App />)
  await act(async () => {
    for (const task of idle) task()
  })
  expect(console.error).toHaveBeenCalled()
  expect(stage.names()).toEqual([])
  stage.page(opened())
  await settle()
  expect(stage.names()).toContain('screen.closed')
  expect(screen.getByText(/could not be shown/)).toBeTruthy()
})

test('app: a modal that cannot be drawn is closed, the page stays, and opening it again works', async () => {
  const stage = onStage()
  stage.show(<App />)
  fails.modal = true
  stage.page(opened())
  await settle()
  await soon(() => expect(stage.names()).toContain('screen.closed'))
  expect(screen.getByText('the page')).toBeTruthy()
  expect(screen.getByText(/could not be shown/)).toBeTruthy()
  fails.modal = false
  stage.page(opened())
  await settle()
  expect(screen.getByText('the modal')).toBeTruthy()
})
