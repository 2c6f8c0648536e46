/** The embedded modal: closing ends the opening and is told, then the first view is on show. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchModal } from '../../../src/main/embed/hostState.ts'
import { keepOpen } from '../../../src/main/embed/keepOpen.ts'
import { followOpening } from '../../../src/main/embed/opening.ts'
import { stage } from '../../ui/modalStage.ts'

beforeEach(() => void vi.stubGlobal('matchMedia', () => ({ matches: false })))
afterEach(() => void vi.unstubAllGlobals())

/** An embedded modal that shows All wallets. */
function embedded() {
  const { store, surroundings, page } = stage()
  const stop = keepOpen({ store, surroundings })
  const told: unknown[] = []
  watchModal({ store, surroundings }, (event, news) => told.push([event, news]))
  const opened = () => {
    page({ type: 'screen.opened', data: { screen: { name: 'AllWallets' } } })
    return followOpening(store, undefined).outcome
  }
  const close = () => page({ type: 'screen.closed', data: {} })
  return { store, told, opened, close, stop }
}

test('embedded modal: each closing ends the opening, tells closed and shows the first view', async () => {
  const { store, told, opened, close } = embedded()
  for (let round = 0; round < 2; round++) {
    const outcome = opened()
    close()
    expect(store.model().screen.history).toEqual([{ name: 'Connect' }])
    expect(await outcome).toEqual({ outcome: 'dismissed' })
    expect(told.splice(0)).toEqual([
      ['view', { view: 'AllWallets' }],
      ['closed', undefined],
      ['view', { view: 'Connect' }],
    ])
  }
})

test('embedded modal: once stopped, closing stays closed', () => {
  const { store, close, stop } = embedded()
  expect(store.model().screen.open).toBe(true)
  stop()
  close()
  expect(store.model().screen.open).toBe(false)
})
