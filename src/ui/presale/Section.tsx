import type { ReactNode } from 'react'

/** A section below the hero: name at the side, content beside it. */
export function Section(props: { id: string; title: string; about?: ReactNode; children: ReactNode }) {
  const { id, title, about, children } = props
  return (
    <section className="section" id={id}>
      <header>
        <h2>{title}</h2>
        {about && <p>{about}</p>}
      </header>
      <div>{children}</div>
    </section>
  )
}
