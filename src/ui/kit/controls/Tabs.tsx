import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { classes } from '../classes.ts'

interface TabsProps<Id extends string> {
  /** Accessible name of the choice. */
  label: string
  items: readonly { id: Id; label: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
  /** `tabs` switch the content below; `seg` picks one of a few settings. Default tabs. */
  look?: 'tabs' | 'seg'
  wide?: boolean
  /** The id of the element the tabs switch. */
  controls?: string
}

/**
 * Tabs: one tab stop; arrow keys, Home and End move and select. Or a segmented control: buttons, each a tab stop, that leave
 * those keys to the page.
 */
export function TabBar<Id extends string>({
  label,
  items,
  value,
  onChange,
  look = 'tabs',
  wide,
  controls,
}: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const tabs = look === 'tabs'

  const move = (event: KeyboardEvent) => {
    const at = items.findIndex(item => item.id === value)
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const steps: Record<string, number> = {
      ArrowRight: at + forward,
      ArrowLeft: at - forward,
      Home: 0,
      End: items.length - 1,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const index = (to + items.length) % items.length
    const item = items[index]
    if (!item) return
    onChange(item.id)
    ;(list.current?.children[index] as HTMLElement | undefined)?.focus()
  }

  return (
    <div
      ref={list}
      className={classes(tabs ? 'tabs-line' : 'tabs-segments', wide && 'is-wide')}
      role={tabs ? 'tablist' : 'group'}
      aria-label={label}
    >
      {items.map(item => {
        const on = item.id === value
        return (
          <button
            key={item.id}
            type="button"
            role={tabs ? 'tab' : undefined}
            aria-selected={tabs ? on : undefined}
            aria-pressed={tabs ? undefined : on}
            aria-controls={controls}
            tabIndex={on || !tabs ? 0 : -1}
            onClick={() => onChange(item.id)}
            onKeyDown={tabs ? move : undefined}
          >
            {item.label}
          </button>
        )
      })}
    </div>
  )
}
