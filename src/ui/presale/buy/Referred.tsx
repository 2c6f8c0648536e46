import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import { Note } from '../../kit/feedback/Note.tsx'
import { holdingArea } from '../../texts/holding/en.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Buying } from './useBuying.ts'

/** Through whose link the page was opened, and that the price is the same; or why that link counts for nothing. */
export function Referred({ buying: { known, referrer, account } }: { buying: Buying }) {
  const t = useTexts(holdingArea)
  if (!known || referrer === undefined || known.terms.referral.bps === 0) return null
  const isUnreadable = referrer === 'unreadable'
  const words = isUnreadable ? t.linkUnreadable : referrer === account ? t.linkOwn : t.through(shortAddress(referrer))
  return (
    <Note {...(isUnreadable && { tone: 'warn' as const })} data-testid="referred">
      {words}
    </Note>
  )
}
