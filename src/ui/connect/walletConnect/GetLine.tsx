import type { ListedWallet } from '../../../events/subjects/listing.ts'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { homepageOf } from '../list/directory.ts'

/** Link to a wallet's site; null if the directory lists none. */
export function GetLine({ name, listed }: { name: string; listed: ListedWallet | undefined }) {
  const address = homepageOf(listed)
  if (address === undefined) return null
  return (
    <div className="get-line">
      <span>Don’t have {[...name].length > 16 ? `${[...name].slice(0, 15).join('')}…` : name}?</span>
      <ExternalLink href={address}>Get it</ExternalLink>
    </div>
  )
}
