import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** Tiles drawn before the list is measured. */
const atFirst = 24
/** The window moves by this many rows at once, and holds as many beyond each edge. */
const stepRows = 4
/** Silence after a scroll until it counts as over, ms. */
const stillMs = 120

/** Tiles from `first` up to `end`, without it, in rows of so many columns and px; `rowHeight` is 0 without a layout. */
type Shown = { first: number; end: number; columns: number; rowHeight: number }

/**
 * The part of a long grid that is near the visible one; padding in place of the rest keeps the list's height. Without a layout, as
 * in a test, all of it.
 *
 * @param count tiles of the grid; all have one height
 * @returns the tiles to draw, whether the list stands still, and the ref of the grid, inside a scroll area
 */
export function useWindow(count: number) {
  const grid = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Shown>({ first: 0, end: atFirst, columns: 1, rowHeight: 0 })
  const [isStill, setStill] = useState(true)

  const moved = useEffectEvent(() => {
    const next = windowOf(grid.current)
    if (next) setShown(before => (isSame(before, next) ? before : next))
  })
  useLayoutEffect(() => {
    const [element, box] = [grid.current, grid.current?.closest('.scroll-area')]
    if (!element || !box) return
    moved()
    let timer: ReturnType<typeof setTimeout> | undefined
    const scrolled = () => {
      moved()
      setStill(false)
      clearTimeout(timer)
      timer = setTimeout(() => setStill(true), stillMs)
    }
    box.addEventListener('scroll', scrolled, { passive: true })
    // The tiles change their height when their font arrives
    const sizes = new ResizeObserver(() => moved())
    sizes.observe(box)
    sizes.observe(element)
    return () => {
      clearTimeout(timer)
      box.removeEventListener('scroll', scrolled)
      sizes.disconnect()
    }
  }, [])
  // The first tiles may come later than the grid
  useLayoutEffect(() => moved(), [count])
  useLayoutEffect(() => {
    const { first, end, columns, rowHeight } = shown
    const rowsOf = (tiles: number) => Math.ceil(Math.max(0, tiles) / columns)
    const [above, below] = [rowsOf(Math.min(first, count)) * rowHeight, rowsOf(count - end) * rowHeight]
    grid.current?.style.setProperty('--tiles-above', `${above}px`)
    grid.current?.style.setProperty('--tiles-below', `${below}px`)
  }, [count, shown])

  return { ...shown, isStill, grid }
}

/** @returns undefined for a grid without tiles */
function windowOf(grid: HTMLElement | null): Shown | undefined {
  const [box, tile] = [grid?.closest('.scroll-area'), grid?.firstElementChild]
  if (!grid || !box || !tile) return undefined
  const { gridTemplateColumns, rowGap } = getComputedStyle(grid)
  const columns = gridTemplateColumns.split(' ').length
  // Fractions of a pixel add up over hundreds of rows; a box's rectangle would be scaled while the sheet rises
  const height = Number.parseFloat(getComputedStyle(tile).height) || 0
  if (height === 0) return { first: 0, end: Number.POSITIVE_INFINITY, columns, rowHeight: 0 }
  const rowHeight = height + (Number.parseFloat(rowGap) || 0)
  const step = stepRows * rowHeight
  return {
    first: Math.max(0, Math.floor(box.scrollTop / step) - 1) * stepRows * columns,
    end: (Math.ceil((box.scrollTop + box.clientHeight) / step) + 1) * stepRows * columns,
    columns,
    rowHeight,
  }
}

const isSame = (one: Shown, other: Shown): boolean =>
  one.first === other.first &&
  one.end === other.end &&
  one.columns === other.columns &&
  one.rowHeight === other.rowHeight
