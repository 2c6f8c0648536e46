import { Fault } from '../../../runtime/failure.ts'
import { canonicalJson } from '../../../runtime/json/canonicalJson.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { publishedJson } from '../../../runtime/json/publishedJson.ts'
import { absentable, looseObject, string } from '../../../runtime/schema/schema.ts'
import { unknownBackend } from '../unknownBackend.ts'
import { backendPattern } from './saleId.ts'
import { brokenRule } from './termsRules.ts'
import { type Terms, termsShape } from './termsShape.ts'

/** Terms as far as their backend, whichever that is. */
const namingBackend = /* @__PURE__ */ looseObject({
  backend: /* @__PURE__ */ absentable(/* @__PURE__ */ string({ grammar: backendPattern })),
})

export { assetOf } from './asset.ts'
export type { Terms, TermsAsset } from './termsShape.ts'

/**
 * Reads published terms, or refuses them: a sale whose terms can be read in two ways is not a sale.
 *
 * @param text the file as published, at most 64 KiB
 * @returns the terms and their canonical text, whose sha256 is the terms hash
 * @throws Fault `terms_invalid` with facts `{ rule }`: `TERMS_SIZE`, `TERMS_JSON`, `TERMS_DUPLICATE_KEY`,
 * `TERMS_FORBIDDEN_KEY`, `TERMS_NUMBER`, `TERMS_DEPTH`, `TERMS_BACKEND` (with `expected` and `got`), `TERMS_SCHEMA` (with `path`) or
 * a `TermsRule`
 */
export function readTerms(text: string): { terms: Terms; canonical: string } {
  const json = parse(text)
  // First: terms of another backend may have other fields and rules
  const other = namingBackend.check(json) ? undefined : unknownBackend(json as Pick<Terms, 'backend'>)
  if (other) {
    const sentence = `presale terms: backend expected ${other.expected}, got ${other.got}`
    throw new Fault('terms_invalid', sentence, { rule: 'TERMS_BACKEND', ...other })
  }
  const misfit = termsShape.check(json)
  if (misfit) {
    const path = misfit.path.slice(0, 100)
    const place = path === '' ? 'presale terms' : `presale terms, ${path}`
    const sentence = `${place}: expected ${misfit.expected}, got ${misfit.got}`
    throw new Fault('terms_invalid', sentence, { rule: 'TERMS_SCHEMA', path })
  }
  const terms = json as Terms
  const found = brokenRule(terms)
  if (found) throw new Fault('terms_invalid', `presale terms: ${found.sentence}`, { rule: found.rule })
  return { terms, canonical: canonicalTerms(terms) }
}

/** @returns the one text of the terms that is hashed */
export function canonicalTerms(terms: Terms): string {
  return canonicalJson(terms as Json)
}

function parse(text: string): unknown {
  try {
    return readJson(text, { name: 'presale terms', ...publishedJson })
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault('terms_invalid', cause.message, { ...cause.facts, rule: `TERMS_${cause.facts?.rule ?? 'JSON'}` })
  }
}
