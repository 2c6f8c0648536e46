import { ExternalLink } from '../kit/controls/ExternalLink.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { out } from '../kit/icons/icons.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { accountArea } from '../texts/account/en.ts'
import { useTexts } from '../texts/language.tsx'
import { useAccountExplorer } from './useAccountExplorer.ts'

/** Leads to the explorer's page of the account; null before the network is known. */
export function ExplorerRow({ account }: { account: string }) {
  const { explorer } = useTexts(accountArea)
  const href = useAccountExplorer()({ address: account })
  if (href === undefined) return null
  return (
    <ExternalLink className="row" href={href}>
      <Logo name="" tint="none">
        <Icon path={out} />
      </Logo>
      <span className="row-name">{explorer}</span>
    </ExternalLink>
  )
}
