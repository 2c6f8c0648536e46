// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Sheet, type SheetProps } from '../../../../src/ui/kit/surface/Sheet.tsx'

afterEach(cleanup)

function Page(props: Partial<SheetProps>) {
  const { children, ...rest } = props
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <Sheet title="Connect wallet" viewKey="connect" onClose={() => setOpen(false)} {...rest}>
          {children ?? (
            <>
              <button type="button">First</button>
              <button type="button">Last</button>
            </>
          )}
        </Sheet>
      )}
    </>
  )
}

function openSheet(props: Partial<SheetProps> = {}) {
  const view = render(<Page {...props} />)
  const opener = screen.getByText('Open')
  opener.focus()
  fireEvent.click(opener)
  return { ...view, opener, sheet: screen.getByTestId('modal') }
}
const tab = (shiftKey = false) => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Tab', shiftKey })

describe('the focus', () => {
  test('goes to the sheet when it opens', () => {
    const { sheet } = openSheet()
    expect(document.activeElement).toBe(sheet)
    expect(sheet.getAttribute('role')).toBe('dialog')
    expect(sheet.getAttribute('aria-label')).toBe('Connect wallet')
  })

  test('goes from the last control to the first and back', () => {
    openSheet()
    const close = screen.getByTestId('modal-close')
    const last = screen.getByText('Last')
    last.focus()
    expect(tab()).toBe(false)
    expect(document.activeElement).toBe(close)
    expect(tab(true)).toBe(false)
    expect(document.activeElement).toBe(last)
  })

  test('moves natively between the controls in the middle', () => {
    openSheet()
    screen.getByText('First').focus()
    expect(tab()).toBe(true)
    expect(document.activeElement).toBe(screen.getByText('First'))
  })

  test('goes backwards from the sheet itself to the last control', () => {
    openSheet()
    tab(true)
    expect(document.activeElement).toBe(screen.getByText('Last'))
  })

  test('is pulled back by Tab from outside', () => {
    const { opener } = openSheet()
    opener.focus()
    tab()
    expect(document.activeElement).toBe(screen.getByTestId('modal-close'))
  })

  test('returns to the control that opened the sheet', () => {
    const { opener } = openSheet()
    screen.getByText('Last').focus()
    fireEvent.click(screen.getByTestId('modal-close'))
    expect(screen.queryByTestId('modal')).toBeNull()
    expect(document.activeElement).toBe(opener)
  })

  test('comes to the sheet when its view has gone', () => {
    const { rerender, sheet } = openSheet()
    screen.getByText('First').focus()
    rerender(
      <Page viewKey="qr" title="WalletConnect">
        <p>Scan</p>
      </Page>,
    )
    expect(screen.getByTestId('modal-title').textContent).toBe('WalletConnect')
    expect(document.activeElement).toBe(sheet)
  })
})

describe('asking to close', () => {
  test('by Escape closes', () => {
    openSheet()
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('by an Escape used by a field does not close', () => {
    openSheet({ children: <input aria-label="Search" onKeyDown={event => event.preventDefault()} /> })
    fireEvent.keyDown(screen.getByLabelText('Search'), { key: 'Escape' })
    expect(screen.getByTestId('modal')).toBeDefined()
  })

  test('by a press on the overlay closes', () => {
    const { sheet } = openSheet()
    const overlay = sheet.parentElement as HTMLElement
    fireEvent.pointerDown(overlay)
    fireEvent.click(overlay)
    expect(screen.queryByTestId('modal')).toBeNull()
  })

  test('by a press that began inside and ended on the overlay does not close', () => {
    const { sheet } = openSheet()
    fireEvent.pointerDown(sheet)
    fireEvent.click(sheet.parentElement as HTMLElement)
    expect(screen.getByTestId('modal')).toBeDefined()
  })
})

describe('the page behind', () => {
  test('does not scroll while the sheet is open, and only then', () => {
    const root = document.documentElement
    root.style.setProperty('overflow', 'scroll')
    const before = document.adoptedStyleSheets.length
    openSheet()
    expect(root.style.overflow).toBe('hidden')
    expect(document.body.style.getPropertyValue('touch-action')).toBe('none')
    // A style sheet of the document restyles all of it
    expect(document.adoptedStyleSheets).toHaveLength(before)
    expect(document.head.querySelector('style')).toBeNull()
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(root.style.overflow).toBe('scroll')
    expect(document.body.style.getPropertyValue('touch-action')).toBe('')
    root.style.removeProperty('overflow')
  })
})

describe('the header', () => {
  test('has Back where there is a way back', () => {
    const onBack = vi.fn()
    openSheet({ onBack })
    fireEvent.click(screen.getByTestId('modal-back'))
    expect(onBack).toHaveBeenCalledOnce()
  })

  test('slides in the direction of travel, and not on opening', () => {
    const { rerender } = openSheet()
    const title = () => screen.getByTestId('modal-title').firstElementChild
    expect(title()?.className).toBe('')
    rerender(<Page viewKey="qr" travel="next" title="WalletConnect" />)
    expect(title()?.className).toBe('sheet-title-next')
    expect(screen.getByTestId('modal').querySelector('.sheet-view-next')).not.toBeNull()
  })
})

describe('a sheet that stays', () => {
  const staying = 'Choose a network.'
  const text = () => screen.getByRole('alert').textContent

  test('is an alert dialog; a refusal moves it, is read aloud, and gives the focus to what must be answered', () => {
    const moved: unknown[] = []
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const animate = vi.spyOn(Element.prototype, 'animate').mockImplementation((...asked) => moved.push(asked) as never)
    const { sheet, rerender } = openSheet({ staying })
    expect([sheet.getAttribute('role'), text()]).toEqual(['alertdialog', ''])
    rerender(<Page staying={staying} shakes={1} />)
    expect(text()).toBe(staying)
    expect(moved).toEqual([[{ translate: ['0px', '-6px', '6px', '-6px', '6px', '0px'] }, 500]])
    expect(document.activeElement).toBe(screen.getByText('First'))
    animate.mockRestore()
    vi.unstubAllGlobals()
  })

  test('keeps still where less motion is wanted', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    const animate = vi.spyOn(Element.prototype, 'animate').mockImplementation(() => null as never)
    const { rerender } = openSheet({ staying })
    rerender(<Page staying={staying} shakes={1} />)
    expect(animate).not.toHaveBeenCalled()
    expect([text(), document.activeElement]).toEqual([staying, screen.getByText('First')])
    animate.mockRestore()
    vi.unstubAllGlobals()
  })
})

describe('below a wallet’s window in the page', () => {
  function withWindow(props: Partial<SheetProps>) {
    const onClose = vi.fn()
    openSheet({ ...props, onClose })
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    return { onClose, field }
  }

  test('Tab and Escape in that window stay its own', () => {
    const { onClose, field } = withWindow({ below: true })
    expect(tab()).toBe(true)
    expect(document.activeElement).toBe(field)
    expect(fireEvent.keyDown(field, { key: 'Escape' })).toBe(true)
    expect(onClose).not.toHaveBeenCalled()
    field.remove()
  })

  test('Tab and Escape in the sheet, or without a focus, are the sheet’s', () => {
    const { onClose, field } = withWindow({ below: true })
    field.remove()
    expect(tab()).toBe(false)
    const close = screen.getByTestId('modal-close')
    expect(document.activeElement).toBe(close)
    fireEvent.keyDown(close, { key: 'Escape' })
    expect(onClose).toHaveBeenCalledTimes(1)
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(onClose).toHaveBeenCalledTimes(2)
  })

  test('a sheet above all takes them from the page', () => {
    const { onClose, field } = withWindow({})
    expect(tab()).toBe(false)
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(onClose).toHaveBeenCalledTimes(1)
    field.remove()
  })
})
