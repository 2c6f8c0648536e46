import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { useModel, useSurroundings } from '../react.tsx'
import { useNotice } from '../useNotice.ts'

/** Foot of Connect (consent) and of Connect and Account: why the project is refused, and a recording to save. */
export function ScreenFoot({ kind }: { kind: 'consent' | 'recording' }) {
  const { config, saveRecording } = useSurroundings()
  const notice = useNotice()
  const problem = useModel(model => model.project.problem)
  // A host speaks for itself: the sale's document is not what its visitors agree to
  const legal = useModel(({ sale }) =>
    !config.host && sale.terms.phase === 'read' ? sale.terms.terms.legal.url : undefined,
  )
  const terms = webAddress(legal) ?? webAddress(config.termsUrl)
  const privacy = webAddress(config.privacyUrl)
  const save = () => {
    saveRecording().then(
      name => name !== undefined && notice('success', `Saved ${name}`),
      () => notice('error', 'The report could not be saved'),
    )
  }
  return (
    <>
      {problem && (
        <p role="status">
          {problem.title} ({problem.code}){problem.detail && `: ${problem.detail}`}
        </p>
      )}
      {kind === 'consent' && (terms || privacy) && (
        <p>
          By connecting you agree to the {terms && <ExternalLink href={terms}>terms</ExternalLink>}
          {terms && privacy && ' and '}
          {privacy && <ExternalLink href={privacy}>privacy notice</ExternalLink>}.
        </p>
      )}
      {config.host?.recording !== false && (
        <p>
          Something wrong?{' '}
          <button type="button" className="link" onClick={save}>
            Download a problem report
          </button>
        </p>
      )}
    </>
  )
}

/** Addresses come from the host and from the terms: only http(s) and relative ones become links. */
function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^(https?:\/\/|\.{0,2}\/)/.test(address) ? address : undefined
}
