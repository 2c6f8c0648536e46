import { Fragment } from 'react'
import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { useNotice } from '../useNotice.ts'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'
import { own } from '../../runtime/schema/own.ts'

/** Foot of Connect (consent) and of Connect and Account: why the project is refused, and a recording to save. */
export function ScreenFoot({ kind }: { kind: 'consent' | 'recording' }) {
  const { config, saveRecording } = useSurroundings()
  const notice = useNotice()
  const t = useTexts(modalArea)
  const { report, reportSaved } = useTexts(basics)
  const problem = useModel(model => model.project.problem)
  // A host speaks for itself: the sale's document is not what its visitors agree to
  const legal = useModel(({ sale }) =>
    !config.host && sale.terms.phase === 'read' ? sale.terms.terms.legal.url : undefined,
  )
  const terms = webAddress(legal) ?? webAddress(config.termsUrl)
  const privacy = webAddress(config.privacyUrl)
  const save = () => {
    saveRecording().then(
      name => name !== undefined && notice('success', reportSaved(name)),
      () => notice('error', t.reportFailed),
    )
  }
  return (
    <>
      {problem && (
        <p role="status">
          {own<string>(t.problems, problem.code) ?? problem.title} ({problem.code})
          {problem.detail && `: ${problem.detail}`}
        </p>
      )}
      {kind === 'consent' && (terms || privacy) && (
        <p>
          <Consent terms={terms} privacy={privacy} />
        </p>
      )}
      {config.host?.recording !== false && (
        <p>
          {t.somethingWrong}{' '}
          <button type="button" className="link" onClick={save}>
            {report}
          </button>
        </p>
      )}
    </>
  )
}

/** The consent line, with a link to each document that there is. */
function Consent({ terms, privacy }: { terms: string | undefined; privacy: string | undefined }) {
  const { consent } = useTexts(modalArea)
  const texts = terms && privacy ? consent.both : terms ? consent.terms : consent.privacy
  const links = [terms, privacy].flatMap(address => address ?? [])
  // A link stands between two texts
  return texts.map((text, at) => {
    const href = at % 2 === 1 ? links[(at - 1) / 2] : undefined
    return href === undefined ? (
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
