import { useState } from 'react'
import { openOrder } from '../../events/subjects/order.ts'
import type { Terms } from '../../events/values/termsShape.ts'
import { ExternalLink } from '../kit/ExternalLink.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { regions } from './figures.ts'

/** Where the sale is not offered, the papers, and what this device keeps. */
export function Foot({ terms }: { terms: Terms | undefined }) {
  const { config, saveRecording, erase } = useSurroundings()
  const busy = useModel(model => openOrder(model) !== undefined)
  const [sure, setSure] = useState(false)
  const [said, setSaid] = useState('')
  const refused = 'An order is under way. The record can be erased when it has ended.'
  const save = () => {
    saveRecording().catch(() => setSaid('The recording could not be saved.'))
  }
  const pressErase = async () => {
    setSaid('')
    if (busy) return setSaid(refused)
    if (!sure) return setSure(true)
    setSure(false)
    const erased = await erase().catch(() => undefined)
    setSaid(erased === undefined ? 'The record could not be erased.' : erased ? 'The record is erased.' : refused)
  }
  const away = regions(terms?.legal.blockedRegions ?? [])
  return (
    <footer className="foot">
      <div className="wrap">
        <p>
          {away && `Not offered in ${away}. `}
          This page cannot check where you are; you declare it yourself.
        </p>
        <div className="links">
          <ExternalLink className="" href={terms?.legal.url ?? config.termsUrl}>
            Terms
          </ExternalLink>
          <ExternalLink className="" href={config.privacyUrl}>
            Privacy
          </ExternalLink>
          <button type="button" onClick={save} data-testid="download-recording">
            Save a recording
          </button>
          <button type="button" onClick={pressErase} data-testid="erase-record">
            {sure ? 'Erase it now' : 'Erase this device’s record'}
          </button>
        </div>
        <p>
          {sure
            ? 'This device forgets its connections and orders. What you bought stays on the chain.'
            : 'In a recording addresses and names are replaced, amounts stay. It never holds a key.'}
        </p>
        <output>{said}</output>
      </div>
    </footer>
  )
}
