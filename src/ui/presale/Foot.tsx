import { recordingNote } from '../recordingNote.ts'
import { useState } from 'react'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { useSurroundings } from '../react.tsx'
import { useNotice } from '../useNotice.ts'
import { Erase } from './Erase.tsx'
import { Sections } from './Sections.tsx'
import { regions } from './sale/figures.ts'
import type { KnownSale } from './sale/saleStatus.ts'

/** Blocked regions, sections for narrow pages, documents, and the recording on this device: save or erase. */
export function Foot({ known }: { known: KnownSale | undefined }) {
  const { config, saveRecording } = useSurroundings()
  const notice = useNotice()
  const [said, setSaid] = useState('')
  // The terms document comes first, from the terms themselves
  const links = known?.content?.links.filter(({ name }) => name !== 'Terms') ?? []
  const save = () => {
    saveRecording().then(
      name => name !== undefined && notice('success', `Saved ${name}`),
      () => setSaid('The report could not be saved.'),
    )
  }
  const away = regions(known?.terms.legal.blockedRegions ?? [])
  return (
    <footer className="foot">
      <div className="page">
        <nav className="foot-sections foot-links" aria-label="Sections">
          <Sections />
        </nav>
        <p>
          {away && `Not offered in ${away}. `}
          This page cannot check where you are; you declare it yourself.
        </p>
        <div className="foot-links">
          <ExternalLink className="" href={known?.legalUrl ?? config.termsUrl}>
            Terms
          </ExternalLink>
          {links.map(({ name, url }) => (
            <ExternalLink className="" href={url} key={name}>
              {name}
            </ExternalLink>
          ))}
          <button type="button" onClick={save} data-testid="download-recording">
            Download a problem report
          </button>
          <Erase say={setSaid} />
        </div>
        <p>{recordingNote}</p>
        <output>{said}</output>
      </div>
    </footer>
  )
}
