import { canonicalJson } from './bytes.ts'
import { CONTENT, LEGAL_HTML, PRIVACY_HTML } from './presale/content.ts'
import type { Terms } from './presale/terms.ts'

/** How the terms file is served: as published, cut in the middle, or with another price than the hash says. */
export type TermsFile = 'normal' | 'corrupt' | 'changed'

export type PublishedFile = { status: number; type: string; text: string }

/** What the sale's website serves beside the page. */
export type Publication = {
  termsFile: TermsFile
  /** by file name: another text in its place, null when it is gone */
  replaced: Record<string, string | null>
  /** a file by its path, or undefined when there is none of that name */
  file(path: string): PublishedFile | undefined
}

/** @param newestCheckpoint text of the newest checkpoint file, or null before the first */
export function createPublication(
  sale: { terms: Terms; termsText: string },
  newestCheckpoint: () => string | null,
): Publication {
  const json = (text: string): PublishedFile => ({ status: 200, type: 'application/json', text })
  const html = (text: string): PublishedFile => ({ status: 200, type: 'text/html; charset=utf-8', text })
  const terms = (kind: TermsFile): string => {
    if (kind === 'corrupt') return sale.termsText.slice(0, Math.floor(sale.termsText.length / 2))
    if (kind === 'normal') return sale.termsText
    const stages = sale.terms.stages.map(stage => ({ ...stage, price: (BigInt(stage.price) * 2n).toString() }))
    return canonicalJson({ ...sale.terms, stages })
  }
  const publication: Publication = {
    termsFile: 'normal',
    replaced: {},
    file(path) {
      const other = publication.replaced[path.slice(1)]
      if (other === null) return { status: 404, type: 'text/plain', text: 'Not found.' }
      if (other !== undefined) return path.endsWith('.html') ? html(other) : json(other)
      if (path === '/terms.json') return json(terms(publication.termsFile))
      if (path === '/content.json') return json(JSON.stringify(CONTENT))
      if (path === '/terms.html') return html(LEGAL_HTML)
      if (path === '/privacy.html') return html(PRIVACY_HTML)
      if (path !== '/checkpoint.json') return undefined
      const text = newestCheckpoint()
      return text === null ? { status: 404, type: 'text/plain', text: 'No checkpoint yet.' } : json(text)
    },
  }
  return publication
}
