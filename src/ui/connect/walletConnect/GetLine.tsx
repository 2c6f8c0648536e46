import type { ListedWallet } from '../../../events/subjects/listing.ts'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { homepageOf } from '../list/directory.ts'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'

/** Link to a wallet's site; null if the directory lists none. */
export function GetLine({ name, listed }: { name: string; listed: ListedWallet | undefined }) {
  const t = useTexts(connectArea)
  const address = homepageOf(listed)
  if (address === undefined) return null
  const short = [...name].length > 16 ? `${[...name].slice(0, 15).join('')}…` : name
  return (
    <div className="get-line">
      <span>{t.dontHave(short)}</span>
      <ExternalLink href={address}>{t.getIt}</ExternalLink>
    </div>
  )
}
