// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AmountField } from '../../../src/ui/kit/controls/AmountField.tsx'
import { Button } from '../../../src/ui/kit/controls/Button.tsx'
import { Checkbox } from '../../../src/ui/kit/controls/Check.tsx'
import { CopyButton } from '../../../src/ui/kit/controls/CopyButton.tsx'
import { ExternalLink } from '../../../src/ui/kit/controls/ExternalLink.tsx'
import { FormField } from '../../../src/ui/kit/controls/Field.tsx'
import { Row } from '../../../src/ui/kit/Row.tsx'
import { TabBar } from '../../../src/ui/kit/controls/Tabs.tsx'
import { Toast } from '../../../src/ui/kit/surface/Toast.tsx'

afterEach(cleanup)

describe('a button', () => {
  test('that is off can be focused, gives its reason, and does nothing', () => {
    const onClick = vi.fn()
    render(
      <Button disabled onClick={onClick}>
        Enter an amount
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Enter an amount' })
    button.focus()
    expect(document.activeElement).toBe(button)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.hasAttribute('disabled')).toBe(false)
    fireEvent.click(button)
    expect(onClick).not.toHaveBeenCalled()
  })

  test('that is off does not submit its form', () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
    const { rerender } = render(
      <form onSubmit={onSubmit}>
        <Button type="submit" disabled>
          Pay
        </Button>
      </form>,
    )
    fireEvent.click(screen.getByText('Pay'))
    expect(onSubmit).not.toHaveBeenCalled()
    rerender(
      <form onSubmit={onSubmit}>
        <Button type="submit">Pay</Button>
      </form>,
    )
    fireEvent.click(screen.getByText('Pay'))
    expect(onSubmit).toHaveBeenCalledOnce()
  })

  test('that is busy shows it and does nothing', () => {
    const onClick = vi.fn()
    render(
      <Button kind="primary" busy onClick={onClick}>
        Sending
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Sending' })
    fireEvent.click(button)
    expect(onClick).not.toHaveBeenCalled()
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(button.querySelector('.spinner')).not.toBeNull()
  })
})

describe('a row', () => {
  test('is one button with name, reason and tag in its accessible name', () => {
    const onClick = vi.fn()
    render(
      <Row
        mark={null}
        name="Phantom"
        sub="Not for this network"
        tag="Installed"
        disabled
        data-testid="wallet-row"
        data-wallet="Phantom"
        onClick={onClick}
      />,
    )
    const row = screen.getByTestId('wallet-row')
    fireEvent.click(row)
    expect(onClick).not.toHaveBeenCalled()
    expect(row.textContent).toBe('PhantomNot for this networkInstalled')
    expect(row.dataset.wallet).toBe('Phantom')
  })

  test('without an action is no button', () => {
    render(<Row mark={null} name="Solana" />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('fields', () => {
  test('read their error with them', () => {
    render(<FormField label="Search wallets" error="No such wallet" onChange={() => {}} value="x" />)
    const input = screen.getByLabelText('Search wallets')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe('No such wallet')
  })

  test('show an invalid amount’s reason in place of its value', () => {
    const onChange = vi.fn()
    render(
      <AmountField
        label="You pay"
        value="2.5"
        onChange={onChange}
        asset="SOL"
        under="$400.00"
        error="0.25 SOL short"
        data-testid="pay-amount"
      />,
    )
    const input = screen.getByLabelText('You pay')
    expect(input).toBe(screen.getByTestId('pay-amount'))
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe('0.25 SOL short')
    expect(screen.queryByText('$400.00')).toBeNull()
    fireEvent.change(input, { target: { value: '3' } })
    expect(onChange).toHaveBeenCalledWith('3')
  })

  test('have statements as native boxes, ticked by their words', () => {
    const onChange = vi.fn()
    render(
      <Checkbox checked={false} onChange={onChange} missing>
        I could lose everything I pay.
      </Checkbox>,
    )
    expect(screen.getByRole('checkbox').getAttribute('aria-invalid')).toBe('true')
    fireEvent.click(screen.getByText('I could lose everything I pay.'))
    expect(onChange).toHaveBeenCalledWith(true)
  })
})

describe('tabs', () => {
  const items = [
    { id: 'tokens', label: 'Tokens' },
    { id: 'nfts', label: 'NFTs' },
    { id: 'activity', label: 'Activity' },
  ] as const
  function Example({ look }: { look?: 'seg' }) {
    const [value, setValue] = useState<(typeof items)[number]['id']>('tokens')
    return <TabBar label="Account" items={items} value={value} onChange={setValue} {...(look && { look })} />
  }
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

  test('are one tab stop, and arrow keys, Home and End move focus and choice', () => {
    render(<Example />)
    const tabs = within(screen.getByRole('tablist', { name: 'Account' })).getAllByRole('tab')
    const chosen = () => tabs.findIndex(tab => tab.getAttribute('aria-selected') === 'true')
    expect(tabs.map(tab => tab.tabIndex)).toEqual([0, -1, -1])
    tabs[0]?.focus()
    press('ArrowRight')
    expect([chosen(), document.activeElement]).toEqual([1, tabs[1]])
    press('End')
    expect([chosen(), document.activeElement]).toEqual([2, tabs[2]])
    press('ArrowRight')
    expect([chosen(), document.activeElement]).toEqual([0, tabs[0]])
    press('ArrowLeft')
    expect(chosen()).toBe(2)
    press('Home')
    expect(chosen()).toBe(0)
    expect(tabs.map(tab => tab.tabIndex)).toEqual([0, -1, -1])
  })

  test('as a segmented control are radio buttons', () => {
    render(<Example look="seg" />)
    fireEvent.click(screen.getByRole('button', { name: 'NFTs' }))
    expect(screen.getByRole('button', { name: 'NFTs' }).getAttribute('aria-pressed')).toBe('true')
  })
})

describe('a toast', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('leaves after 2.5 s, and waits while the pointer is on it', () => {
    const onDone = vi.fn()
    render(<Toast note={{ id: 1, tone: 'good', text: 'Address copied' }} onDone={onDone} />)
    const toast = screen.getByTestId('toast')
    act(() => void vi.advanceTimersByTime(2000))
    fireEvent.pointerEnter(toast)
    act(() => void vi.advanceTimersByTime(10_000))
    expect(onDone).not.toHaveBeenCalled()
    fireEvent.pointerLeave(toast)
    act(() => void vi.advanceTimersByTime(2500))
    expect(onDone).toHaveBeenCalledOnce()
  })

  test('that takes another’s place waits 150 ms for it to leave; a third meanwhile waits no longer', () => {
    const onDone = vi.fn()
    const one = (id: number, text: string) => <Toast note={{ id, tone: 'good', text }} onDone={onDone} />
    const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
    const { rerender } = render(one(1, 'Address copied'))
    const shown = () => {
      const toast = screen.getByTestId('toast')
      return `${toast.textContent}${toast.className.includes('is-out') ? ', out' : ''}`
    }
    expect(shown()).toBe('Address copied')
    pass(2000)
    rerender(one(2, 'Wallet switched'))
    expect(shown()).toBe('Address copied, out')
    pass(100)
    rerender(one(3, 'Quill disconnected'))
    pass(49)
    expect(shown()).toBe('Address copied, out')
    pass(1)
    expect(shown()).toBe('Quill disconnected')
    pass(2499)
    expect(onDone).not.toHaveBeenCalled()
    pass(1)
    expect(onDone).toHaveBeenCalledOnce()
    rerender(<Toast note={undefined} onDone={onDone} />)
    expect(shown()).toBe('Quill disconnected, out')
    rerender(one(4, 'Address copied'))
    expect(shown()).toBe('Address copied')
  })

  test('of the same id changes in its place', () => {
    const { rerender } = render(<Toast note={{ id: 1, tone: 'busy', text: 'Signing' }} onDone={() => undefined} />)
    rerender(<Toast note={{ id: 1, tone: 'good', text: 'Signed' }} onDone={() => undefined} />)
    expect(screen.getByTestId('toast').textContent).toBe('Signed')
    expect(screen.getByTestId('toast').className).not.toContain('is-out')
  })

  test('about work in progress stays', () => {
    const onDone = vi.fn()
    render(<Toast note={{ id: 1, tone: 'busy', text: 'Authenticating' }} onDone={onDone} />)
    act(() => void vi.advanceTimersByTime(60_000))
    expect(onDone).not.toHaveBeenCalled()
    expect(screen.getByRole('status').textContent).toBe('Authenticating')
  })

  test.each([
    ['worked', () => Promise.resolve(true), 'Copied'],
    ['was denied', () => Promise.resolve(false), 'Not copied'],
    ['failed', () => Promise.reject(new Error('no clipboard')), 'Not copied'],
  ])('of a copy that %s stays for 2 s', async (_, onCopy, told) => {
    render(<CopyButton label="Copy link" onCopy={onCopy} data-testid="copy-uri" />)
    const button = screen.getByTestId('copy-uri')
    await act(async () => {
      fireEvent.click(button)
    })
    expect(button.textContent).toBe(told)
    expect(screen.getByRole('status').textContent).toBe(told)
    act(() => void vi.advanceTimersByTime(2000))
    expect(button.textContent).toBe('Copy link')
  })
})

test('link: one that leaves the page sends no referrer and no opener', () => {
  render(<ExternalLink href="https://explorer.example/tx/1">Explorer</ExternalLink>)
  expect(screen.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer')
})
