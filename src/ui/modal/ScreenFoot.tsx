import { useModel, useSurroundings } from '../react.tsx'
import { useNotice } from '../notices/useNotice.ts'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'
import { DocumentLinks, useDocuments } from './documents.tsx'
import { own } from '../../runtime/schema/own.ts'

/** Foot of Connect (consent) and of Connect and Account: why the project is refused, and a recording to save. */
export function ScreenFoot({ kind }: { kind: 'consent' | 'recording' }) {
  const { config, saveRecording } = useSurroundings()
  const notice = useNotice()
  const t = useTexts(modalArea)
  const { report, reportSaved } = useTexts(basics)
  const problem = useModel(model => model.project.problem)
  const documents = useDocuments()
  const isTicked = useModel(({ tab }) => tab.features?.legalCheckbox === true)
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
      {kind === 'consent' && documents && !isTicked && (
        <p>
          <DocumentLinks {...documents} texts={t.consent} />
        </p>
      )}
      {config.host?.recording !== false && (
        <>
          <p>
            {t.somethingWrong}{' '}
            <button type="button" className="link" onClick={save}>
              {report}
            </button>
          </p>
          <p>{t.reportBrief}</p>
        </>
      )}
    </>
  )
}
