// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { lazyScreen } from '../../src/ui/lazyScreen.tsx'
import { onStage, settle } from './onStage.tsx'

afterEach(cleanup)

function Late({ word }: { word: string }) {
  return <p>{word}</p>
}

describe('a screen in a file of its own', () => {
  test('shimmers, then shows, and is there at once the second time', async () => {
    let loads = 0
    const Screen = lazyScreen(async () => {
      loads += 1
      return Late
    })
    const { container } = onStage().show(<Screen word="here" />)
    expect(container.querySelector('[aria-busy="true"]')).not.toBeNull()
    await settle()
    expect(container.textContent).toBe('here')
    cleanup()
    expect(onStage().show(<Screen word="again" />).container.textContent).toBe('again')
    expect(loads).toBe(1)
  })

  test('that does not load says so, and loads by a press', async () => {
    let isGone = true
    const Screen = lazyScreen(() => (isGone ? Promise.reject(new Error('404')) : Promise.resolve(Late)))
    const on = onStage()
    const { container } = on.show(<Screen word="here" />)
    await settle()
    expect(container.textContent).toContain('This part did not load')
    fireEvent.click(screen.getByText('Try again'))
    await settle()
    expect(container.textContent).toContain('The page may have changed. Reload it if this stays.')
    isGone = false
    fireEvent.click(screen.getByText('Try again'))
    await settle()
    expect(container.textContent).toBe('here')
  })
})
