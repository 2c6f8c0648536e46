import { Note } from '../../kit/feedback/Note.tsx'
import type { BuyBlock } from '../sale/saleStatus.ts'

/** Explains why buying is off. The button itself covers a sale that is still loading, the status line a silent network. */
export function BuyBlockNote({ buyBlock }: { buyBlock: BuyBlock | undefined }) {
  if (!buyBlock || buyBlock.why === 'reading' || buyBlock.why === 'readingOnly') return null
  const { tone, verdict, sentence } = buyBlock
  return (
    <Note {...(tone ? { tone } : {})} live="status" className="sale-note">
      <b>{verdict}</b> {sentence}
    </Note>
  )
}
