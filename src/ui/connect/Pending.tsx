import type { ReactNode } from 'react'
import { Button } from '../kit/controls/Button.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { refresh } from '../kit/icons/icons.ts'
import { Ring } from '../kit/Ring.tsx'
import type { Outcome } from './outcome.ts'

interface PendingProps {
  mark: ReactNode
  /** Absent while the wallet is waited for. */
  outcome?: Outcome | undefined
  title: string
  text: string
  /** Asks again: the one button when the wait is over, a quiet one while it lasts. */
  onAgain: () => void
  /** What the quiet button says; absent for none. */
  askAgain?: string
  children?: ReactNode
}

/** A large mark in a ring, one title, one sentence, one button. */
export function Pending({ mark, outcome, title, text, onAgain, askAgain, children }: PendingProps) {
  return (
    <>
      <Ring came={outcome?.came}>{mark}</Ring>
      <div className="say" role="status">
        <h3>{outcome?.title ?? title}</h3>
        <p>{outcome?.text ?? text}</p>
      </div>
      {outcome ? (
        <Button kind="primary" wide icon={<Icon path={refresh} small />} onClick={onAgain} data-testid="try-again">
          Try again
        </Button>
      ) : (
        askAgain && (
          <Button wide onClick={onAgain}>
            {askAgain}
          </Button>
        )
      )}
      {children}
    </>
  )
}
