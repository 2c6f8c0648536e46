import { Note } from '../../kit/Note.tsx'
import type { Halt } from '../sale/saleStatus.ts'

/** Why nothing can be bought here and now; what is merely being read is said by the button. */
export function HaltNote({ halt }: { halt: Halt | undefined }) {
  if (!halt || halt.why === 'reading') return null
  const { tone, verdict, sentence } = halt
  return (
    <Note {...(tone ? { tone } : {})} live="status" className="halt">
      <b>{verdict}</b> {sentence}
    </Note>
  )
}
