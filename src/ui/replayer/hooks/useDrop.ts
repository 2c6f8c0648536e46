import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Accepts a file dropped anywhere in the window; the browser would navigate to it otherwise.
 *
 * @returns whether a dragged file is over the window
 */
export function useDrop(take: (file: File) => void): boolean {
  const [over, setOver] = useState(false)
  const onDrop = useEffectEvent(take)
  useEffect(() => {
    const hold = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer?.files ?? []
      if (file) onDrop(file)
    }
    document.addEventListener('dragover', hold)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', hold)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])
  return over
}
