import { useState } from 'react'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { useSurroundings } from '../react.tsx'
import { useNotice } from '../notices/useNotice.ts'
import { Erase } from './Erase.tsx'
import { Sections } from './Sections.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import { useSaleWords } from './saleWords.ts'
import type { KnownSale } from './sale/saleStatus.ts'

/** Blocked regions, sections for narrow pages, documents, and the recording on this device: save or erase. */
export function Foot({ known }: { known: KnownSale | undefined }) {
  const { saveRecording } = useSurroundings()
  const notice = useNotice()
  const { basics, sale, figures } = useSaleWords()
  const [said, setSaid] = useState('')
  // The terms document comes first, once its hash was compared
  const links = known?.content?.links.filter(({ name }) => name !== 'Terms') ?? []
  const save = () => {
    saveRecording().then(
      name => name !== undefined && notice('success', basics.reportSaved(name)),
      () => setSaid(basics.reportFailed),
    )
  }
  const away = figures.regions(known?.terms.legal.blockedRegions ?? [])
  return (
    <footer className="foot">
      <div className="page">
        <nav className="foot-sections foot-links" aria-label={sale.sections}>
          <Sections />
        </nav>
        <p>
          {away && `${sale.notOfferedIn(away)} `}
          {sale.notChecked}
        </p>
        <div className="foot-links">
          {known?.legalUrl !== undefined && (
            <ExternalLink className="" href={known.legalUrl}>
              {sale.terms}
            </ExternalLink>
          )}
          {links.map(({ name, url }) => (
            <ExternalLink className="" href={url} key={name}>
              {name}
            </ExternalLink>
          ))}
          <button type="button" onClick={save} data-testid="download-recording">
            {basics.report}
          </button>
          <Erase say={setSaid} />
          <LanguageChoice />
        </div>
        <p>{basics.reportNote}</p>
        <output>{said}</output>
      </div>
    </footer>
  )
}
