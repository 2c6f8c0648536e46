// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ModalHost } from '../../../src/ui/modal/ModalHost.tsx'
import { useModel } from '../../../src/ui/react.tsx'
import { opened } from '../modalStage.ts'
import { onStage, settle } from '../onStage.tsx'

const gone = () => Promise.reject(new TypeError('the chunk is not there'))
const Modal = () => (useModel(model => model.screen.open) ? <div data-testid="modal" /> : null)
const arrives = async () => ({ Modal })

let idle: (() => void)[] = []
beforeEach(() => {
  idle = []
  vi.stubGlobal('requestIdleCallback', (task: () => void) => idle.push(task))
  vi.stubGlobal('cancelIdleCallback', (handle: number) => idle.splice(handle - 1, 1, () => {}))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const restNow = () =>
  act(async () => {
    for (const task of idle.splice(0)) task()
  })

test('modal host: the modal is fetched when the page is idle, and shows nothing', async () => {
  const load = vi.fn(arrives)
  onStage().show(<ModalHost load={load} />)
  expect(load).not.toHaveBeenCalled()
  await restNow()
  expect(load).toHaveBeenCalledTimes(1)
  expect(screen.queryByTestId('modal')).toBeNull()
})

test('modal host: a loaded modal opens in the same turn as the press', async () => {
  const on = onStage()
  on.show(<ModalHost load={arrives} />)
  await restNow()
  on.page(opened())
  expect(screen.queryByTestId('modal')).not.toBeNull()
})

test('modal host: opening before the page was idle fetches at once', async () => {
  const load = vi.fn(arrives)
  const on = onStage()
  on.show(<ModalHost load={load} />)
  on.page(opened())
  expect(load).toHaveBeenCalledTimes(1)
  await settle()
  expect(screen.queryByTestId('modal')).not.toBeNull()
  expect(idle).toHaveLength(1)
  await restNow()
  expect(load).toHaveBeenCalledTimes(1)
})

test('modal host: a failed idle fetch is silent and is repeated on opening', async () => {
  const load = vi.fn().mockImplementationOnce(gone).mockImplementation(arrives)
  const on = onStage()
  on.show(<ModalHost load={load} />)
  await restNow()
  expect(on.said).toEqual([])
  on.page(opened())
  await settle()
  expect(load).toHaveBeenCalledTimes(2)
  expect(screen.queryByTestId('modal')).not.toBeNull()
})

test('modal host: a chunk that is gone on opening makes the page outdated and tells the person', async () => {
  const on = onStage()
  on.show(<ModalHost load={gone} />)
  on.page(opened())
  await settle()
  expect(on.names()).toEqual(['screen.closed', 'tab.outdated', 'toast.shown'])
  expect(on.store.model().tab.phase).toBe('outdated')
  expect(on.store.model().screen.open).toBe(false)
  expect(on.store.model().toast?.message).toBe('This page has changed. Reload it.')
})

test('modal host: without idle callbacks the modal is fetched soon after the page', async () => {
  vi.unstubAllGlobals()
  vi.stubGlobal('requestIdleCallback', undefined)
  vi.useFakeTimers()
  const load = vi.fn(arrives)
  onStage().show(<ModalHost load={load} />)
  await act(() => vi.advanceTimersByTimeAsync(400))
  vi.useRealTimers()
  expect(load).toHaveBeenCalledTimes(1)
})
