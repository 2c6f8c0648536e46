/** Texts and tables published for display beside the terms. They have no hash, and no decision depends on them. */

import { absentable, array, literal, looseObject, type Schema, string } from '../../runtime/schema/schema.ts'

/** One part of the supply; `tokens` are whole tokens in decimal text. */
type SupplyRow = { name: string; tokens: string }
/** One step of the project; `when` is the project's own wording. */
type RoadmapEntry = { when: string; title: string; text?: string; done?: true }
export type SaleContent = {
  /** the project in its own words */
  about?: { title: string; text: string }
  tokenomics?: { note?: string; rows: SupplyRow[] }
  /** in the order published */
  roadmap?: RoadmapEntry[]
  questions: { question: string; answer: string }[]
  /** addresses are https, or of a file beside the terms; a link named `Privacy` is by contract the privacy notice */
  links: { name: string; url: string }[]
}

const text = /* @__PURE__ */ string()

/** Content as a log holds it; the reader of the published file checks its words. */
export const loggedContent: Schema<SaleContent> = /* @__PURE__ */ looseObject({
  about: absentable(looseObject({ title: text, text })),
  tokenomics: absentable(
    looseObject({
      note: absentable(text),
      rows: array(looseObject({ name: text, tokens: string({ grammar: /^[0-9]{1,21}$/ }) })),
    }),
  ),
  roadmap: absentable(
    array(looseObject({ when: text, title: text, text: absentable(text), done: absentable(literal(true)) })),
  ),
  questions: array(looseObject({ question: text, answer: text })),
  links: array(looseObject({ name: text, url: text })),
})
