import type { ReactNode } from 'react'
import { Button } from '../kit/controls/Button.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { refresh } from '../kit/icons/icons.ts'
import { Ring } from '../kit/figures/Ring.tsx'
import type { Outcome } from './outcome.ts'
import { useModel, useSurroundings } from '../react.tsx'
import { basics } from '../texts/basics/en.ts'
import { useTexts } from '../texts/language.tsx'

interface PendingProps {
  mark: ReactNode
  /** Absent while the request is pending. */
  outcome?: Outcome | undefined
  title: string
  text: string
  /** Retries: the primary button after an outcome, a quiet one while pending. */
  onAgain: () => void
  /** Label of the quiet button; absent: no such button. */
  askAgain?: string
  children?: ReactNode
}

/**
 * A pending request: logo in a ring, title, sentence, retry button; a reload where the page has changed. While a tab of another
 * build has the core, the one button takes over from it.
 */
export function Pending({ mark, outcome, title, text, onAgain, askAgain, children }: PendingProps) {
  const { tryAgain, reload, otherBuild, continueHere } = useTexts(basics)
  const { takeOver } = useSurroundings()
  const isOtherBuild = useModel(({ tab }) => tab.phase === 'elsewhere' && tab.why === 'otherBuild')
  return (
    <>
      <Ring came={outcome?.came}>{mark}</Ring>
      <div className="ring-words" role="status">
        <h3>{outcome?.title ?? title}</h3>
        <p>{isOtherBuild ? otherBuild.join(' ') : (outcome?.text ?? text)}</p>
      </div>
      {isOtherBuild ? (
        <Button kind="primary" wide onClick={() => void takeOver().catch(() => undefined)}>
          {continueHere}
        </Button>
      ) : outcome ? (
        <Button kind="primary" wide icon={<Icon path={refresh} small />} onClick={onAgain} data-testid="try-again">
          {tryAgain}
        </Button>
      ) : (
        askAgain && (
          <Button wide onClick={onAgain}>
            {askAgain}
          </Button>
        )
      )}
      {outcome?.reload && (
        <Button wide className="layout-above" onClick={() => location.reload()} data-testid="reload">
          {reload}
        </Button>
      )}
      {children}
    </>
  )
}
