// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { emptyModel } from '../../../src/events/emptyModel.ts'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { storyOf } from '../../../src/runtime/story/story.ts'
import { prepare } from '../../../src/ui/replayer/reading.ts'
import { branchesOf, countChanges, shortValue } from '../../../src/ui/replayer/changes.ts'
import { EntryList } from '../../../src/ui/replayer/panes/entries/EntryList.tsx'
import { FirstDifferencePane } from '../../../src/ui/replayer/panes/compare/FirstDifference.tsx'
import { fixedStore, inert } from '../../../src/ui/replayer/fixedStore.ts'
import { Pane } from '../../../src/ui/replayer/panes/Pane.tsx'
import { ModelTree } from '../../../src/ui/replayer/panes/model/ModelTree.tsx'
import type { Link } from '../../../src/runtime/story/cause.ts'
import { checkpointLines } from '../../../src/events/checkpoint/snapshot.ts'
import { CausePane } from '../../../src/ui/replayer/panes/compare/Cause.tsx'
import { Find } from '../../../src/ui/replayer/panes/entries/Find.tsx'
import { Notes } from '../../../src/ui/replayer/panes/Notes.tsx'
import { redactionOf } from '../../../src/ui/replayer/strict.tsx'
import { boot, connectedLog, createLog, header, parsed } from '../../events/recordedLog.ts'

afterEach(cleanup)

describe('two models side by side', () => {
  const before = { a: 1, b: { c: 'x', d: 'y' }, gone: true }
  const after = { a: 1, b: { c: 'z', d: 'y' }, come: [1] }

  test('are compared branch by branch', () => {
    expect(branchesOf('', before, after).map(({ name, mark }) => `${name} ${mark}`)).toEqual([
      'a same',
      'b changed',
      'come added',
      'gone removed',
    ])
    expect(countChanges(before, after)).toBe(3)
    expect(countChanges(before, structuredClone(before))).toBe(0)
  })

  test('differ when a list becomes an object, and when a text becomes nothing', () => {
    expect(branchesOf('', { a: [] }, { a: {} })[0]?.mark).toBe('changed')
    expect(branchesOf('', { a: 'x' }, { a: null })[0]?.mark).toBe('changed')
  })

  test('have a short description of their differences', () => {
    expect([shortValue('a"b'), shortValue(null), shortValue({}), shortValue({ a: 1 }), shortValue([1])]).toEqual([
      '"a\\"b"',
      'null',
      '{}',
      '{…}',
      '[…]',
    ])
    expect(shortValue('x'.repeat(500))).toHaveLength(120)
  })
})

describe('the model tree', () => {
  test('is folded except for changes', () => {
    render(<ModelTree before={{ a: { x: 1 }, b: { y: 'old' } }} after={{ a: { x: 1 }, b: { y: 'new' } }} />)
    expect(screen.getByRole('button', { name: 'a' }).getAttribute('aria-expanded')).toBe('false')
    expect(screen.getByRole('button', { name: 'b' }).getAttribute('aria-expanded')).toBe('true')
    expect(screen.getByText('"old"').tagName).toBe('S')
    expect(screen.getByText('"new"').tagName).toBe('B')
    expect(screen.queryByText('x')).toBeNull()
  })

  test('unfolds and folds at a press, and stays so when the playhead moves', () => {
    const { rerender } = render(<ModelTree before={{ a: { x: 1 } }} after={{ a: { x: 1 } }} />)
    fireEvent.click(screen.getByRole('button', { name: 'a' }))
    expect(screen.getByText('x')).toBeTruthy()
    rerender(<ModelTree before={{ a: { x: 2 } }} after={{ a: { x: 2 } }} />)
    expect(screen.getByText('x')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'a' }))
    expect(screen.queryByText('x')).toBeNull()
  })

  test('is scrolled to its first change when the playhead moves, and only then', () => {
    const places = { OL: [0, 100], LI: [500, 520] } as Record<string, number[]>
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      const [top = 0, bottom = 90] = places[this.tagName] ?? []
      return { top, bottom, height: bottom - top } as DOMRect
    })
    const pane = (place: number, value: string) => (
      <Pane name="Model" note="" follows={place}>
        <ModelTree before={{ a: 'old' }} after={{ a: value }} />
      </Pane>
    )
    const { rerender, container } = render(pane(1, 'old'))
    const area = container.querySelector('.panes-body') as HTMLElement
    expect(area.scrollTop).toBe(0)
    rerender(pane(1, 'new'))
    expect(area.scrollTop).toBe(0)
    rerender(pane(2, 'new'))
    expect(area.scrollTop).toBe(470)
    vi.restoreAllMocks()
  })

  test('gives the number of hidden rows of a long list', () => {
    const many = Object.fromEntries(Array.from({ length: 205 }, (_, index) => [`k${index}`, index]))
    render(<ModelTree before={many} after={many} />)
    expect(screen.getByText('5 more')).toBeTruthy()
  })
})

describe('the list of entries', () => {
  const records = parsed(connectedLog())
  const story = storyOf(records, momentsOf(records))
  const made = story.findIndex(({ record }) => record.type === 'connection.made')

  test('marks the entry at the playhead and moves it at a press', () => {
    const onMove = vi.fn()
    render(<EntryList story={story} places={undefined} place={0} onMove={onMove} />)
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('tab.opened')
    fireEvent.click(screen.getByRole('option', { name: /connection\.made/ }))
    expect(onMove).toHaveBeenCalledWith(made)
  })

  test('renders a part of a hundred thousand rows, and knows the number of each', () => {
    const [one] = story
    const many = one ? Array.from({ length: 100_000 }, () => one) : []
    render(<EntryList story={many} places={undefined} place={0} onMove={() => undefined} />)
    const rows = screen.getAllByRole('option')
    expect(rows.length).toBeLessThan(40)
    expect(rows[0]?.getAttribute('aria-setsize')).toBe('100000')
  })

  test('goes to the next found one by the arrow keys', () => {
    const onMove = vi.fn()
    render(<EntryList story={story} places={[2, made]} place={2} onMove={onMove} />)
    fireEvent.keyDown(screen.getByRole('listbox', { name: 'What happened' }), { key: 'ArrowDown' })
    expect(onMove).toHaveBeenCalledWith(made)
  })

  test('tells that the search has no match', () => {
    render(<EntryList story={story} places={[]} place={0} onMove={() => undefined} />)
    expect(screen.getByText('Nothing holds this text.')).toBeTruthy()
  })
})

describe('the first difference', () => {
  test('stands beside the recorded lines, with the line marked, and can be copied', async () => {
    const copy = vi.fn(async () => true)
    const input = '{"k":"i","n":3,"type":"wallet.signed","to":"e1.2.0"}'
    const difference = { index: 1, n: 3, type: 'wallet.signed', input, at: 2, line: 9, field: 'data.height' }
    const verdict = {
      ok: false as const,
      inputs: 2,
      facts: 4,
      difference: { ...difference, expected: '{"data":{"height":1,"id":2}}', actual: '{"data":{"height":7,"id":2}}' },
    }
    const recording = { header, records: parsed(connectedLog()), complete: true, unknownTypes: {} }
    const opened = await prepare("f's.jsonl", recording)
    render(
      <FirstDifferencePane verdict={verdict} builds={{ recorded: 'aa', running: 'bb' }} opened={opened} copy={copy} />,
    )
    expect(screen.getByRole('heading', { name: 'First difference at input 3' })).toBeTruthy()
    expect(screen.getByText(/2 inputs before it agree/)).toBeTruthy()
    const marked = [...document.querySelectorAll('mark')].map(mark => `${mark.className} ${mark.textContent?.trim()}`)
    expect(marked).toEqual(['difference-old "height": 1,', 'difference-new "height": 7,'])
    expect(screen.getByText('wallet.signed, n 3, answers e1.2.0')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Copy report' }))
    expect(copy).toHaveBeenCalledWith(expect.stringContaining('First difference at input 3'))
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
    expect(copy).toHaveBeenLastCalledWith(`npm run replay -- check 'f'\\''s.jsonl'`)
  })
})

describe('a long chain of causes', () => {
  const links = Array.from({ length: 100 }, (_, n): Link => {
    const record = { k: 'i' as const, n, at: n * 1000, type: n === 0 ? 'order.place' : 'timer.fired', v: 1, data: {} }
    return { kind: 'input', index: n, record, from: n === 0 ? 'command' : 'answer' }
  })

  test('shows both ends, and all of it at a press', () => {
    render(<CausePane links={links} index={99} onMove={() => undefined} />)
    expect(screen.getAllByRole('listitem')).toHaveLength(53)
    fireEvent.click(screen.getByRole('button', { name: '48 links between' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(100)
  })

  test('leads to each link by a press', () => {
    const onMove = vi.fn()
    render(<CausePane links={links.slice(0, 3)} index={2} onMove={onMove} />)
    expect(screen.getAllByText('1.0 s later')).toHaveLength(2)
    fireEvent.click(screen.getByRole('button', { name: 'order.place' }))
    expect(onMove).toHaveBeenCalledWith(0)
  })
})

describe('the search', () => {
  const props = { value: 'x', onChange: () => undefined, ref: null }

  test('goes to the next match by Enter, to the one before with Shift, round at the ends', () => {
    const onMove = vi.fn()
    render(<Find {...props} place={5} onMove={onMove} found={{ text: 'x', places: [1, 5, 9], done: true }} />)
    expect(screen.getByText('2 of 3')).toBeTruthy()
    const field = screen.getByRole('searchbox', { name: 'Find' })
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
    expect(onMove.mock.calls).toEqual([[9], [1]])
    cleanup()
    render(<Find {...props} place={9} onMove={onMove} found={{ text: 'x', places: [1, 5, 9], done: true }} />)
    fireEvent.click(screen.getByRole('button', { name: 'Next found' }))
    expect(onMove).toHaveBeenLastCalledWith(1)
  })

  test('under way jumps to the first match once it is found', () => {
    const onMove = vi.fn()
    const looking = { text: 'x', places: [], done: false }
    const { rerender } = render(<Find {...props} place={0} onMove={onMove} found={looking} />)
    fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Find' }), { key: 'Enter' })
    expect(onMove).not.toHaveBeenCalled()
    rerender(<Find {...props} place={0} onMove={onMove} found={{ text: 'x', places: [4], done: true }} />)
    expect(onMove).toHaveBeenCalledWith(4)
  })

  test('with an outdated match jumps to the current text’s match', () => {
    const onMove = vi.fn()
    const earlier = { text: 'x', places: [2, 3], done: true }
    const { rerender } = render(<Find {...props} value="xy " place={9} onMove={onMove} found={earlier} />)
    fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Find' }), { key: 'Enter' })
    expect(onMove).not.toHaveBeenCalled()
    const found = { text: 'xy', places: [3, 4], done: true }
    rerender(<Find {...props} value="xy " place={9} onMove={onMove} found={found} />)
    expect(onMove.mock.calls).toEqual([[3]])
  })

  test('tells that there is no match', () => {
    render(<Find {...props} place={0} onMove={() => undefined} found={{ text: 'x', places: [], done: true }} />)
    expect(screen.getByText('None')).toBeTruthy()
  })
})

describe('the notes on a file', () => {
  const of = async (lines: readonly string[]) =>
    prepare('f.jsonl', { header, records: parsed(lines), complete: true, unknownTypes: {} })
  const notes = { refusal: undefined, progress: undefined, onStop: () => undefined }

  test('are absent when all is well', async () => {
    const opened = await of(connectedLog())
    const { container } = render(<Notes {...notes} opened={opened} strict={{ phase: 'running' }} />)
    expect(container.textContent).toBe('')
  })

  test('name its first checkpoint; its model is the one before the first entry', async () => {
    const log = createLog()
    log.input(boot(1))
    log.input({ type: 'page.online', data: { online: false } })
    const before = log.lines.length
    const block = checkpointLines(
      { n: 2, seq: log.core.seq, life: 1, at: 1, build: 'b', transient: log.core.memory() },
      log.core.model,
    )
    log.input({ type: 'page.online', data: { online: true } })
    const opened = await of([...block, ...log.lines.slice(before)])
    render(<Notes {...notes} opened={opened} strict={{ phase: 'running' }} />)
    expect(screen.getByText('Begins at input 3 from a checkpoint.')).toBeTruthy()
    expect(opened.walk.at(-1).network.online).toBe(false)
    expect(opened.walk.at(opened.story.length - 1).network.online).toBe(true)
  })

  test('give the reason against re-execution, and the treatment of personal values', async () => {
    const opened = await of(connectedLog())
    render(<Notes {...notes} opened={opened} strict={{ phase: 'refused', why: 'Its amounts are blanked' }} />)
    expect(screen.getByText(/Its amounts are blanked\./)).toBeTruthy()
    const tag = (redaction: string) => redactionOf({ redaction } as never).tag
    expect(['plain', 'standIns', 'blanked', 'tokens', 'view'].map(tag)).toEqual([
      undefined,
      'Personal values replaced',
      'Amounts blanked, for looking only',
      'Amounts and dates not replaced',
      'Amounts blanked, for looking only',
    ])
  })
})

describe('the replayer’s fixed store', () => {
  test('shows its model and takes no commands', async () => {
    const [first, second] = [emptyModel(), emptyModel()]
    const store = fixedStore(first, 1000)
    const heard = vi.fn()
    const stop = store.subscribe(heard)
    const around = inert(store)
    around.dispatch({ type: 'screen.opened', data: { screen: { name: 'Connect' } } })
    around.command({ type: 'balance.refresh', data: {} })
    expect(store.model()).toBe(first)
    expect(heard).not.toHaveBeenCalled()
    store.show(second, 2000)
    expect([store.model(), around.now(), heard.mock.calls.length]).toEqual([second, 2000, 1])
    stop()
    store.show(first, 3000)
    expect(heard).toHaveBeenCalledOnce()
    expect(await around.copy('x')).toBe(false)
    expect(await around.pairingUri('t')).toBeUndefined()
    expect(await around.erase()).toBe(false)
  })
})
