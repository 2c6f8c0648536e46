import { recordingNote } from '../recordingNote.ts'
import { useState } from 'react'
import { openOrder } from '../../events/subjects/order.ts'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { regions } from './sale/figures.ts'
import type { KnownSale } from './sale/saleStatus.ts'

/** Blocked regions, documents, and the recording on this device: save or erase. */
export function Foot({ known }: { known: KnownSale | undefined }) {
  const { config, saveRecording, erase } = useSurroundings()
  const busy = useModel(model => openOrder(model) !== undefined)
  const fails = useModel(({ tab }) => tab.phase === 'blocked' && tab.reload === true)
  const [sure, setSure] = useState<'' | 'sure' | 'anyway'>('')
  const [said, setSaid] = useState('')
  const refused = 'An order or a wallet request is under way. The record can be erased when it has ended.'
  const lonely =
    'An order or a wallet request is under way that this page cannot follow. ' +
    'If it was paid, the payment stays on the chain and counts. ' +
    'Save a recording first: nothing else here knows of it.'
  // The terms document comes first, from the terms themselves
  const links = known?.content?.links.filter(({ name }) => name !== 'Terms') ?? []
  const save = () => {
    saveRecording().catch(() => setSaid('The recording could not be saved.'))
  }
  const pressErase = async () => {
    setSaid('')
    if (busy && !fails) return setSaid(refused)
    if (!sure) return setSure('sure')
    setSure('')
    const erased = await erase(fails && sure === 'anyway').catch(() => undefined)
    if (erased === false && fails) {
      setSure('anyway')
      return setSaid(lonely)
    }
    setSaid(erased === undefined ? 'The record could not be erased.' : erased ? 'The record is erased.' : refused)
  }
  const away = regions(known?.terms.legal.blockedRegions ?? [])
  return (
    <footer className="foot">
      <div className="page">
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
            Save a recording
          </button>
          <button type="button" onClick={pressErase} data-testid="erase-record">
            {sure === 'anyway' ? 'Erase it all the same' : sure ? 'Erase it now' : 'Erase this device’s record'}
          </button>
        </div>
        <p>
          {sure ? 'This device forgets its connections and orders. What you bought stays on the chain.' : recordingNote}
        </p>
        <output>{said}</output>
      </div>
    </footer>
  )
}
