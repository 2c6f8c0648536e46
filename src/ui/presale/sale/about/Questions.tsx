import { memo } from 'react'
import type { SaleContent } from '../../../../events/sale/content.ts'
import { Disclosure } from '../../../kit/controls/Disclosure.tsx'
import { Section } from '../../Section.tsx'
import { start } from '../../../texts/start/en.ts'
import { useTexts } from '../../../texts/language.tsx'

/** Frequent questions with their answers, as published. */
export const Questions = memo(function Questions({ questions }: Pick<SaleContent, 'questions'>) {
  const t = useTexts(start)
  return (
    <Section id="faq" title={t.questions}>
      <div className="questions">
        {questions.map(({ question, answer }, index) => (
          <Disclosure key={question} summary={question} open={index === 0}>
            <p>{answer}</p>
          </Disclosure>
        ))}
      </div>
    </Section>
  )
})
