import { useEffectEvent, useLayoutEffect } from 'react'

/** The help: each key as labelled, and its action. */
export const keys: readonly (readonly [string, string])[] = [
  ['← →', 'input before, after'],
  ['⇧ ← →', 'fact before, after'],
  ['[ ]', 'command before, after'],
  [', .', 'same type before, after'],
  ['PgUp PgDn', 'jump 10%'],
  ['Home End', 'start, end'],
  ['Space', 'play, pause'],
  ['/', 'find; Enter and ⇧ Enter go through'],
  ['d', 'first difference'],
]

const textFields = 'input, textarea'
const pressed = 'button, a, summary'
/** A choice keeps its other keys: up and down, space, first letters. */
const besideChoice = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End'])

/**
 * Handles keys anywhere in the page except in text fields.
 *
 * @param acts by key, prefixed with `Shift+` where it applies
 */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const at = event.target instanceof Element ? event.target : undefined
    if (at?.closest(textFields)) return
    if (at?.closest('select') && !besideChoice.has(event.key)) return
    // Space presses a button; page keys scroll a pane
    if (event.key === ' ' && at?.closest(pressed)) return
    if (event.key.startsWith('Page') && at?.closest('.panes-pane')) return
    const act = acts[event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  // Before the first paint, so that a visible timeline already takes keys
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', heard)
    return () => document.removeEventListener('keydown', heard)
  }, [])
}
