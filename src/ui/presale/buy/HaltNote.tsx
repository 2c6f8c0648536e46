import { Note } from '../../kit/Note.tsx'
import type { Halt } from '../sale/saleStatus.ts'

/** Explains why buying is off; the button itself covers a sale that is still loading. */
export function HaltNote({ halt }: { halt: Halt | undefined }) {
  if (!halt || halt.why === 'reading') return null
  const { tone, verdict, sentence } = halt
  return (
    <Note {...(tone ? { tone } : {})} live="status" className="halt">
      <b>{verdict}</b> {sentence}
    </Note>
  )
}
