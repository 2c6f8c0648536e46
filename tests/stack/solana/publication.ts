import { canonicalJson, hex, sha256 } from './bytes.ts'
import { CONTENT, LEGAL_HTML, PRIVACY_HTML } from './presale/content.ts'
import { listText, type Terms } from './presale/terms.ts'

/**
 * Served version of the terms file: as published, truncated, with a price that does not match the hash, with a thief's
 * authority and treasury, or with a different treasury alone.
 */
export const TERMS_FILES = ['normal', 'corrupt', 'changed', 'foreign', 'treasury'] as const
export type TermsFile = (typeof TERMS_FILES)[number]
/** Those that are other terms of this sale. */
const LATER: TermsFile[] = ['changed', 'treasury']

/** Served version of the signed list of notices: the newest, the last one served before, or none. */
export const NOTICE_FILES = ['normal', 'old', 'absent'] as const
export type NoticesFile = (typeof NOTICE_FILES)[number]

export type PublishedFile = { status: number; type: string; text: string }

/** Files of the sale's website beside the page. */
export type Publication = {
  termsFile: TermsFile
  /** by file name: another text in its place, null when it is gone */
  replaced: Record<string, string | null>
  noticesFile: NoticesFile
  /** terms of this sale that may be announced beside its own, by hash */
  later: Record<string, Terms>
  /** hash of the terms file as it is served now */
  termsHash(): string
  /** a file by its path, or undefined when there is none of that name */
  file(path: string): PublishedFile | undefined
}

/**
 * @param newest texts of the newest checkpoint file and list of notices, as far as there are any
 * @param thief addresses that are not the sale's
 */
export function createPublication(
  sale: { terms: Terms; termsText: string; allowed?: string[] },
  newest: () => { checkpoint: string | null; list?: string },
  thief: { authority: string; treasury: string },
): Publication {
  let oldList: string | undefined
  const json = (text: string): PublishedFile => ({ status: 200, type: 'application/json', text })
  const none = (text: string): PublishedFile => ({ status: 404, type: 'text/plain', text })
  const html = (text: string): PublishedFile => ({ status: 200, type: 'text/html; charset=utf-8', text })
  const terms = (kind: TermsFile): string => {
    if (kind === 'corrupt') return sale.termsText.slice(0, Math.floor(sale.termsText.length / 2))
    if (kind === 'normal') return sale.termsText
    if (kind === 'foreign') return canonicalJson({ ...sale.terms, ...thief })
    if (kind === 'treasury') return canonicalJson({ ...sale.terms, treasury: thief.treasury })
    const stages = sale.terms.stages.map(stage => ({ ...stage, price: (BigInt(stage.price) * 2n).toString() }))
    return canonicalJson({ ...sale.terms, stages })
  }
  const ownHash = hex(sha256(sale.termsText))
  const publication: Publication = {
    termsFile: 'normal',
    replaced: {},
    noticesFile: 'normal',
    later: Object.fromEntries(LATER.map(terms).map(text => [hex(sha256(text)), JSON.parse(text) as Terms])),
    termsHash: () => hex(sha256(terms(publication.termsFile))),
    file(path) {
      const other = publication.replaced[path.slice(1)]
      if (other === null) return { status: 404, type: 'text/plain', text: 'Not found.' }
      if (other !== undefined) return path.endsWith('.html') ? html(other) : json(other)
      if (path === '/terms.json') return json(terms(publication.termsFile))
      // As an operator does, every version that may have been announced stays under its hash
      const [, start = '-'] = /^\/terms-([0-9a-f]{16})\.json$/.exec(path) ?? []
      const version = Object.entries(publication.later).find(([hash]) => hash.startsWith(start))
      if (version) return json(canonicalJson(version[1]))
      if (ownHash.startsWith(start)) return json(sale.termsText)
      if (path === '/content.json') return json(JSON.stringify(CONTENT))
      if (path === '/terms.html') return html(LEGAL_HTML)
      if (path === '/privacy.html') return html(PRIVACY_HTML)
      if (path === '/allowlist.txt' && sale.allowed)
        return { status: 200, type: 'text/plain', text: listText(sale.allowed) }
      if (path === '/notices.json') {
        if (publication.noticesFile === 'normal') oldList = newest().list
        const text = publication.noticesFile === 'absent' ? undefined : oldList
        return text === undefined ? none('No list of notices.') : json(text)
      }
      if (path !== '/checkpoint.json') return undefined
      const text = newest().checkpoint
      return text === null ? none('No checkpoint yet.') : json(text)
    },
  }
  return publication
}
