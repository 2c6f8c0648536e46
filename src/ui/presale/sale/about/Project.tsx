import type { SaleContent } from '../../../../events/sale/content.ts'
import { Section } from '../../Section.tsx'

/** The project in its own words, as published. */
export function Project({ about: { title, text } }: { about: NonNullable<SaleContent['about']> }) {
  return (
    <Section id="about" title={title}>
      <div className="trust">
        <p>{text}</p>
      </div>
    </Section>
  )
}
