import { type ReactNode, useEffect, useRef } from 'react'

/** A titled pane that scrolls. @param props `inert`: nothing inside takes the focus, so the pane does, to scroll by keys */
export function Pane(props: {
  name: string
  head?: ReactNode
  note: ReactNode
  inert?: true
  /** Changes with the playhead: the first change in the pane is scrolled into view. */
  follows?: number
  children: ReactNode
}) {
  const { name, head, note, inert, follows, children } = props
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const area = body.current
    const row = follows === undefined ? undefined : area?.querySelector('li:is(.is-changed, .is-added, .is-removed)')
    if (!area || !row) return
    const [of, at] = [area.getBoundingClientRect(), row.getBoundingClientRect()]
    // The page itself stays: below 900 px the panes stand one under the other
    if (at.top < of.top || at.bottom > of.bottom) area.scrollTop += at.top - of.top - of.height / 3
  }, [follows])
  return (
    <section className="panes-pane" aria-label={name}>
      <header>
        {head ?? <h2>{name}</h2>}
        <span className="panes-note">{note}</span>
      </header>
      <div ref={body} className="panes-body" tabIndex={inert && 0}>
        {children}
      </div>
    </section>
  )
}
