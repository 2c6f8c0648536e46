import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** Tiles drawn before the list is measured. */
const atFirst = 24
/** The window moves by this many rows at once, and holds as many beyond each edge. */
const stepRows = 4
/** Silence after a scroll until it counts as over, ms. */
const stillMs = 120

/** The grid's measures: columns, px of a row with its gap, px of the visible part; a `rowHeight` of 0 without a layout. */
type Measures = { columns: number; rowHeight: number; visible: number }
/** Tiles from `first` up to `end`, without it. */
type Shown = { first: number; end: number } & Omit<Measures, 'visible'>

/**
 * The part of a long grid that is near the visible one; padding in place of the rest keeps the list's height. Without a layout, as
 * in a test, all of it. The grid is measured when its size or count changes; a scroll reads only how far it went.
 *
 * @param count tiles of the grid; all have one height
 * @returns the tiles to draw, `whenStill` for what can wait for the end of a scroll, and the ref of the grid, inside a scroll area
 */
export function useWindow(count: number) {
  const grid = useRef<HTMLDivElement>(null)
  const measures = useRef<Measures>(undefined)
  const [shown, setShown] = useState<Shown>({ first: 0, end: atFirst, columns: 1, rowHeight: 0 })
  const [rest] = useState(createRest)

  const moved = useEffectEvent((scrolled: number) => {
    if (!measures.current) return
    const next = windowOf(measures.current, scrolled)
    setShown(before => (isSame(before, next) ? before : next))
  })
  const measure = useEffectEvent(() => {
    const box = grid.current?.closest('.scroll-area')
    if (!grid.current || !box) return
    measures.current = measuresOf(grid.current, box)
    moved(box.scrollTop)
  })
  useLayoutEffect(() => {
    const [element, box] = [grid.current, grid.current?.closest('.scroll-area')]
    if (!element || !box) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const scrolled = () => {
      moved(box.scrollTop)
      rest.end()
      clearTimeout(timer)
      timer = setTimeout(rest.begin, stillMs)
    }
    box.addEventListener('scroll', scrolled, { passive: true })
    // The tiles change their height when their font arrives
    const sizes = new ResizeObserver(() => measure())
    sizes.observe(box)
    sizes.observe(element)
    return () => {
      clearTimeout(timer)
      box.removeEventListener('scroll', scrolled)
      sizes.disconnect()
    }
  }, [rest])
  // The first tiles may come later than the grid
  useLayoutEffect(() => measure(), [count])
  useLayoutEffect(() => {
    const { first, end, columns, rowHeight } = shown
    const rowsOf = (tiles: number) => Math.ceil(Math.max(0, tiles) / columns)
    const [above, below] = [rowsOf(Math.min(first, count)) * rowHeight, rowsOf(count - end) * rowHeight]
    // A custom property would be inherited: each step would compute the styles of every tile
    grid.current?.style.setProperty('padding-block', `${above}px ${below}px`)
  }, [count, shown])

  return { first: shown.first, end: shown.end, whenStill: rest.whenStill, grid }
}

/** Tasks for the time between two scrolls. No state of React: a scroll's begin and end would render every tile. */
function createRest() {
  const waiting = new Set<() => void>()
  let isStill = true
  return {
    begin() {
      isStill = true
      for (const task of waiting) task()
      waiting.clear()
    },
    end() {
      isStill = false
    },
    /** Runs the task now, or once the list stands still. @returns takes it back */
    whenStill(task: () => void): () => void {
      if (isStill) task()
      else waiting.add(task)
      return () => void waiting.delete(task)
    },
  }
}

/** @returns undefined for a grid without tiles */
function measuresOf(grid: HTMLElement, box: Element): Measures | undefined {
  const tile = grid.firstElementChild
  if (!tile) return undefined
  const { gridTemplateColumns, rowGap } = getComputedStyle(grid)
  const columns = gridTemplateColumns.split(' ').length
  // Fractions of a pixel add up over hundreds of rows; a box's rectangle would be scaled while the sheet rises
  const height = Number.parseFloat(getComputedStyle(tile).height) || 0
  const rowHeight = height === 0 ? 0 : height + (Number.parseFloat(rowGap) || 0)
  return { columns, rowHeight, visible: box.clientHeight }
}

function windowOf({ columns, rowHeight, visible }: Measures, scrolled: number): Shown {
  if (rowHeight === 0) return { first: 0, end: Number.POSITIVE_INFINITY, columns, rowHeight }
  const step = stepRows * rowHeight
  return {
    first: Math.max(0, Math.floor(scrolled / step) - 1) * stepRows * columns,
    end: (Math.ceil((scrolled + visible) / step) + 1) * stepRows * columns,
    columns,
    rowHeight,
  }
}

const isSame = (one: Shown, other: Shown): boolean =>
  one.first === other.first &&
  one.end === other.end &&
  one.columns === other.columns &&
  one.rowHeight === other.rowHeight
