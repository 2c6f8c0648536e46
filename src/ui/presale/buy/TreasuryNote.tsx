import { type KnownSale, teamPays } from '../sale/saleStatus.ts'
import { useSaleWords } from '../saleWords.ts'
import { useTexts } from '../../texts/language.tsx'
import { start } from '../../texts/start/en.ts'

/** Tells whom a buyer trusts, next to everything that pays. */
export function TreasuryNote({ known }: { known: KnownSale | undefined }) {
  const { buy } = useSaleWords()
  const { trust } = useTexts(start)
  if (!teamPays(known)) return null
  return (
    <p className="buy-plain" data-testid="treasury-note">
      {buy.treasuryNote}{' '}
      <a className="link" href="#trust">
        {trust}
      </a>
    </p>
  )
}
