import { memo } from 'react'
import type { Terms } from '../../events/values/termsShape.ts'
import { Disclosure } from '../kit/Disclosure.tsx'
import { questions } from './content.ts'
import { Section } from './Section.tsx'

/** What people ask, answered from the terms. */
export const Questions = memo(function Questions({
  terms,
  softCapReached,
}: {
  terms: Terms
  softCapReached: boolean | undefined
}) {
  return (
    <Section id="faq" title="Questions">
      <div className="faq">
        {questions(terms, softCapReached).map(({ question, answer }, index) => (
          <Disclosure key={question} summary={question} open={index === 0}>
            <p>{answer}</p>
          </Disclosure>
        ))}
      </div>
    </Section>
  )
})
