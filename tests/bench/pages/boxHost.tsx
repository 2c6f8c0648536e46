/** The floor of an opening: React, a small page and an empty box. */
import { useSyncExternalStore } from 'react'
import { drawSmallPage } from './smallPage.tsx'

let isOpen = false
let drawn: () => void = () => undefined

function Box() {
  const shown = useSyncExternalStore(
    draw => {
      drawn = draw
      return () => undefined
    },
    () => isOpen,
  )
  if (!shown) return null
  return (
    <div style={{ position: 'fixed', inset: 0, display: 'grid', placeItems: 'center', background: '#0008' }}>
      <div data-testid="nothing" style={{ width: 360, height: 420, background: '#fff' }} />
    </div>
  )
}

drawSmallPage({
  open() {
    isOpen = true
    drawn()
  },
  modal: Box,
})
