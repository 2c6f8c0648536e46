import { memo } from 'react'
import type { SaleContent } from '../../../../events/sale/content.ts'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { checkIcon } from '../../../kit/icons/iconsOfStart.ts'
import { Section } from '../../Section.tsx'
import { useSaleWords } from '../../saleWords.ts'
import { start } from '../../../texts/start/en.ts'
import { useTexts } from '../../../texts/language.tsx'

/** The project's steps in the published order; a done one says so. */
export const Roadmap = memo(function Roadmap({ roadmap }: { roadmap: NonNullable<SaleContent['roadmap']> }) {
  const { sale } = useSaleWords()
  const { roadmap: title } = useTexts(start)
  return (
    <Section id="roadmap" title={title}>
      <ol className="steps roadmap">
        {roadmap.map((entry, at) => (
          <li key={`${at} ${entry.title}`} className={entry.done ? 'is-done' : 'is-next'}>
            <span className="steps-mark">{entry.done && <Icon path={checkIcon} />}</span>
            <div>
              <span className="steps-sub">
                <bdi>{entry.when}</bdi>
                {entry.done && ` · ${sale.stepDone}`}
              </span>
              <b>
                <bdi>{entry.title}</bdi>
              </b>
              {entry.text && (
                <p>
                  <bdi>{entry.text}</bdi>
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
})
