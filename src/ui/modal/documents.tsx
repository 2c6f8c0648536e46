import { Fragment } from 'react'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import type { DocumentSentences } from '../texts/modal/en.ts'

/** Addresses of what a visitor agrees to; an empty one is named and not linked. */
type Documents = { terms: string | undefined; privacy: string | undefined }

/** @returns the documents of the host or the sale; undefined without any */
export function useDocuments(): Documents | undefined {
  const { config } = useSurroundings()
  // A host speaks for itself: the sale's documents are not what its visitors agree to. Linked is the one whose hash was compared
  const legal = useModel(({ sale }) => (!config.host && sale.legal?.phase === 'read' ? sale.legal.url : undefined))
  // The published file marks its privacy notice by this name, in every language of the page
  const listed = useModel(({ sale }) =>
    config.host ? undefined : sale.content?.links.find(({ name }) => name === 'Privacy')?.url,
  )
  // Before the sale's documents are read the sentence names both, in their place: no row of wallets may move from under a press
  const isReading = useModel(
    ({ sale }) => !config.host && config.sale !== undefined && (!sale.legal || !(sale.content ?? sale.reading)),
  )
  const coming = isReading ? '' : undefined
  const terms = webAddress(legal ?? config.termsUrl) ?? coming
  const privacy = webAddress(listed ?? config.privacyUrl) ?? coming
  return (terms ?? privacy) === undefined ? undefined : { terms, privacy }
}

/** A sentence with a link to each document that there is. */
export function DocumentLinks({ terms, privacy, texts: all }: Documents & { texts: DocumentSentences }) {
  const isNamed = terms !== undefined
  const texts = isNamed && privacy !== undefined ? all.both : isNamed ? all.terms : all.privacy
  const links = [terms, privacy].flatMap(address => address ?? [])
  // A link stands between two texts
  return texts.map((text, at) => {
    const href = at % 2 === 1 ? links[(at - 1) / 2] : undefined
    return !href ? (
      <Fragment key={at}>{text}</Fragment>
    ) : (
      <ExternalLink key={at} href={href}>
        {text}
      </ExternalLink>
    )
  })
}

/** Addresses come from the host and from the terms: only http(s) and relative ones become links. */
function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^(https?:\/\/|\.{0,2}\/)/.test(address) ? address : undefined
}
