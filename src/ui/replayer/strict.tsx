/** Facts about a recording beside its content: the result of re-execution, and its redaction. */
import { printable } from '../../runtime/replay/describe.ts'
import type { Redaction } from '../../events/recording/recordingKind.ts'
import type { RecordingHeader } from '../../runtime/recording/recordingHeader.ts'
import { counts, type Verdict } from '../../runtime/replay/verdict.ts'
import { Icon } from '../kit/icons/Icon.tsx'
import { info } from '../kit/icons/icons.ts'
import { checkIcon } from '../kit/icons/iconsOfStart.ts'
import { Spinner } from '../kit/feedback/Spinner.tsx'

/** Shows the screens at a place, the result of strict re-execution, or a second recording beside the first. */
export type Mode = 'view' | 'strict' | 'compare'

export type Strict = { phase: 'running' } | { phase: 'done'; verdict: Verdict } | { phase: 'refused'; why: string }

const redactions: Record<Redaction, { words: string; tag?: string }> = {
  plain: { words: 'not redacted' },
  standIns: { words: 'redacted', tag: 'Personal values replaced' },
  blanked: { words: 'redacted', tag: 'Amounts blanked, for looking only' },
  tokens: { words: 'redacted by an older build', tag: 'Amounts and dates not replaced' },
  view: { words: 'redacted by an older build', tag: 'Amounts blanked, for looking only' },
}

/** @returns the words for the bar; `tag` where redaction changed the visible values */
export function redactionOf({ redaction }: Pick<RecordingHeader, 'redaction'>): { words: string; tag?: string } {
  // The reader has checked it
  return redactions[redaction as Redaction]
}

/** Capitalises the first letter of a Fault's sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Strict re-execution without a difference: done, running, or impossible. */
export function Agreed({ strict }: { strict: Strict }) {
  const [title, told] = wordsOf(strict)
  return (
    <main className="difference">
      <div className={strict.phase === 'done' ? 'difference-head is-good' : 'difference-head is-plain'}>
        {strict.phase === 'running' ? <Spinner /> : <Icon path={strict.phase === 'done' ? checkIcon : info} />}
        <div>
          <h2>{title}</h2>
          <p>{told}</p>
        </div>
      </div>
    </main>
  )
}

function wordsOf(strict: Strict): [string, string] {
  if (strict.phase === 'running') return ['Re-running the inputs', 'Every fact and effect is compared, byte for byte.']
  if (strict.phase === 'refused') return ['Not re-executed', `${printable(strict.why)}.`]
  const { inputs, facts } = strict.verdict
  return ['Every byte equal', `${counts(inputs, 'input')} re-run, ${counts(facts, 'fact')} came out as recorded.`]
}
